use super::*;
use damier_rules::notation::{fen, moves};

#[test]
fn a_picture_shows_every_piece_arrow_and_crossed_square() {
    let position = fen::parse("W:W28,K46:B23,K5").expect("a position");
    let mv = moves::parse(&position, "28x19").expect("a move");
    let diagram = Diagram {
        arrows: vec![mv],
        caption: "<b>&".to_owned(),
        ..Diagram::new(position)
    };
    let svg = diagram.to_svg();
    // Two men of two circles, two kings of two.
    assert_eq!(svg.matches("<circle").count(), 8);
    assert_eq!(svg.matches("#d4a017").count(), 2);
    assert_eq!(
        (
            svg.matches("#b91c1c").count(),
            svg.matches("#1a7f37").count()
        ),
        (1, 2)
    );
    assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"));
    // Both strokes of the cross are seen: it lies above the arrow.
    assert!(svg.rfind("#1a7f37") < svg.find("#b91c1c"), "{svg}");
}

#[test]
fn the_arrow_of_a_capture_bends_where_the_piece_lands() {
    // 38x29x18x7: up to the right, then to the left twice.
    let position = fen::parse("W:W38:B33,23,12").expect("a position");
    let line = moves::parse_line(&position, "38x7").expect("a capture of three");
    let one = Diagram {
        arrows: line.clone(),
        ..Diagram::new(position)
    };
    let center = |number| one.center(Square::new(number).expect("a square"));
    let way = moves::ways(&position, line[0], 1).remove(0);
    assert_eq!(way.len(), 4);
    let drawing = page(std::slice::from_ref(&one));
    let svg = drawing.to_svg();
    let turns: Vec<String> = way[..3]
        .iter()
        .map(|square| center(square.number()))
        .map(|(x, y)| format!("{x:.1} {y:.1}L"))
        .collect();
    assert!(svg.contains(&format!("d=\"M{}", turns.concat())), "{svg}");
    assert!(svg.contains("stroke-linejoin=\"round\""));
    // The pixels of a square where it lands, and of one beside the straight way.
    let plain = page(&[Diagram::new(position)]);
    for square in &way[1..3] {
        let (x, y) = center(square.number());
        let at = (x as usize, y as usize);
        assert_ne!(pixel(&drawing, 1, at.0, at.1), pixel(&plain, 1, at.0, at.1));
    }
    // Both moves of a line, each from where the last one left off.
    let start = Position::start();
    let line = moves::parse_line(&start, "32-28 19-23 28x19 14x23").expect("legal");
    let diagram = Diagram {
        arrows: line,
        ..Diagram::new(start)
    };
    let svg = diagram.to_svg();
    assert_eq!(svg.matches("#1a7f37").count(), 8);
}

#[test]
fn the_board_can_be_turned() {
    let diagram = Diagram::new(Position::start());
    let square = |number| Square::new(number).expect("a square");
    assert_eq!(
        (diagram.place(square(1)), diagram.place(square(46))),
        ((0, 1), (9, 0))
    );
    let turned = Diagram {
        bottom: Color::Black,
        ..diagram
    };
    assert_eq!(
        (turned.place(square(50)), turned.place(square(5))),
        ((0, 1), (9, 0))
    );
}

#[test]
fn a_page_has_three_diagrams_in_a_row() {
    let diagrams = vec![Diagram::new(Position::start()); 4];
    let svg = page(&diagrams).to_svg();
    // The board and what stands on it.
    assert_eq!(svg.matches("<g transform").count(), 8);
    assert!(svg.contains(r#"translate(20 440)"#), "{}", &svg[..300]);
}

/// The color of a pixel.
fn pixel(drawing: &Drawing, scale: u32, x: usize, y: usize) -> u32 {
    let png = drawing.to_png(scale).expect("a picture");
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .expect("PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("pixels");
    assert_eq!(
        [info.width, info.height],
        [drawing.width * scale, drawing.height * scale]
    );
    let at = 3 * (y * info.width as usize + x);
    let color = bytes[at..at + 3].iter();
    color.fold(0, |color, &byte| color << 8 | u32::from(byte))
}

#[test]
fn the_pixels_are_those_of_the_drawing() {
    let position = fen::parse("W:W28,K46:B23,K5").expect("a position");
    let mv = moves::parse(&position, "28x19").expect("a move");
    let one = Diagram {
        caption: "WWWW".to_owned(),
        ..Diagram::new(position)
    };
    let plain = page(std::slice::from_ref(&one));
    // A light square, a dark one, the middle of the men on 23 and 28, twice as large.
    let middle = |row: usize, column: usize| (2 * (column * 40 + 20), 2 * (row * 40 + 20));
    for ((x, y), color) in [
        (middle(0, 0), Style::Color.palette().light),
        (middle(0, 1), Style::Color.palette().dark),
        (middle(4, 5), Rgb(0x1f1f1f)),
        (middle(5, 4), Rgb(0xfdfdf8)),
    ] {
        assert_eq!(pixel(&plain, 2, x, y), color.0, "{x} {y}");
    }
    let arrows = vec![mv];
    let arrowed = page(&[Diagram { arrows, ..one }]);
    let (x, y) = middle(4, 5);
    assert_ne!(pixel(&arrowed, 2, x, y), 0x1f1f1f);
    // Something of the caption is black.
    let has_ink = (0..30).any(|y| pixel(&plain, 1, 200, 400 + y) < 0x808080);
    assert!(has_ink || (190..210).any(|x| pixel(&plain, 1, x, 415) < 0x808080));
}

#[test]
fn who_is_to_move_and_numbers_at_the_border_are_shown() {
    let position = fen::parse("B:W28:B16").expect("a position");
    let bordered = Diagram {
        numbers: Numbers::Border,
        style: Style::Print,
        shows_turn: true,
        ..Diagram::new(position)
    };
    let svg = bordered.to_svg();
    assert!(svg.contains(">Black to move<"), "{svg}");
    let numbers: Vec<&str> = svg
        .split("</text>")
        .filter_map(|part| {
            part.rsplit('>')
                .next()?
                .parse::<u8>()
                .ok()
                .and(part.rsplit('>').next())
        })
        .collect();
    let edge = "1 2 3 4 5 6 15 16 25 26 35 36 45 46 47 48 49 50";
    assert_eq!(numbers.join(" "), edge);
    // Inside: none under a piece.
    let inside = Diagram::new(position).to_svg();
    assert!(inside.contains(">17<") && !inside.contains(">16<"));
    let none = Diagram {
        numbers: Numbers::None,
        ..Diagram::new(position)
    };
    assert!(!none.to_svg().contains("<text"));
    // In print no color but grey.
    let colors = svg.split('#').skip(1).filter_map(|rest| rest.get(..6));
    assert!(
        colors
            .filter(|color| u32::from_str_radix(color, 16).is_ok())
            .all(|color| { color[..2] == color[2..4] && color[2..4] == color[4..] })
    );
}

#[test]
fn a_picture_of_too_many_pixels_is_refused() {
    let diagrams = vec![Diagram::new(Position::start()); 200];
    let refused = page(&diagrams).to_png(8);
    assert!(matches!(refused, Err(PngError::TooLarge { .. })));
    assert!(page(&diagrams[..2]).to_png(0).is_ok());
}
