use super::*;
use proptest::prelude::*;

const RUSSIAN: [&str; 20] = [
    "Иванов",
    "Чижов А.",
    "Шварцман",
    "Гантварг, Анатолий",
    "Куперман",
    "Щёголев",
    "Вирный",
    "Андрейко",
    "Ю. Черток",
    "Дибман",
    "ИВАНОВ",
    "Цой",
    "Эм",
    "Каплан И.",
    "Балякин",
    "Амрилаев",
    "Чемпионат СССР",
    "белые выигрывают",
    "Ошибка, лучше было так",
    "здесь согласились на ничью",
];
const DUTCH: [&str; 16] = [
    "René",
    "Gérard Jansen",
    "Noël",
    "Müller",
    "Köln",
    "François",
    "Senéchal",
    "Groß",
    "Jäger",
    "Bélanger",
    "Hélène",
    "geëindigd in remise",
    "één zet te laat",
    "fête de la dame",
    "Überraschung",
    "coup forcé",
];

fn tagged(names: &[&str]) -> String {
    let tags = names.iter().map(|name| format!("[White \"{name}\"]\n"));
    tags.collect::<String>() + "[Result \"2-0\"]\n\n1. 32-28 19-23 2-0\n"
}

fn is_read(encoding: Encoding, text: &str) {
    let bytes = encoding.bytes_of(text);
    let decoded = decode(&bytes, None);
    assert_eq!((decoded.encoding, decoded.text.as_ref()), (encoding, text));
}

const RUSSIAN_ENCODINGS: [Encoding; 3] = [Encoding::Windows1251, Encoding::Koi8R, Encoding::Cp866];
const WESTERN_ENCODINGS: [Encoding; 2] = [Encoding::Windows1252, Encoding::Cp850];

#[test]
fn one_name_alone_tells_the_encoding() {
    for name in RUSSIAN {
        RUSSIAN_ENCODINGS
            .into_iter()
            .for_each(|encoding| is_read(encoding, &tagged(&[name])));
    }
    for name in DUTCH {
        WESTERN_ENCODINGS
            .into_iter()
            .for_each(|encoding| is_read(encoding, &tagged(&[name])));
    }
}

const POLISH: [&str; 10] = [
    "Paweł",
    "Kieliński",
    "Dąbrowski",
    "Wołczyński",
    "Stanisław Żak",
    "Łódź",
    "Chmiel, Bożena",
    "Gołębiowski",
    "Świątek",
    "zagrał błędnie",
];
const BALTIC: [&str; 9] = [
    "Kalniņš",
    "Bērziņš",
    "Liepiņš",
    "Bružas",
    "Šimkus",
    "Vaišnora",
    "Ozoliņš",
    "Žukauskas",
    "Domčevas Šarūnas",
];

#[test]
fn polish_and_baltic_names_tell_their_encoding() {
    for name in POLISH {
        is_read(Encoding::Windows1250, &tagged(&[name]));
    }
    // Only three letters of Polish tell its two encodings apart.
    for name in ["Dąbrowski", "Świątek", "Ździch", "Książek"] {
        is_read(Encoding::Iso8859_2, &tagged(&[name]));
    }
    for name in BALTIC {
        is_read(Encoding::Windows1257, &tagged(&[name]));
    }
    for name in [
        "Jānis",
        "Kristīne",
        "Žemaitis",
        "Guntis Ķīsis",
        "Jonė",
        "Lāčplēsis",
        "Vytautas Šlekys",
    ] {
        is_read(Encoding::Windows1257, &tagged(&[name]));
    }
    for text in [
        "Le cœur de l'œuvre",
        "Señor Muñoz",
        "Kjær",
        "Bjørn",
        "João",
        "Curaçao",
        "fête",
    ] {
        is_read(Encoding::Windows1252, &tagged(&[text]));
    }
}

#[test]
fn a_short_name_of_central_europe_is_read() {
    // Where encodings have the same bytes for a name, any of them will do.
    for name in [
        "Łukasz",
        "Michał",
        "Jiří",
        "Dvořák",
        "Václav",
        "Čeněk",
        "Šárka",
        "Zdeněk",
        "Ľubomír",
        "Szabó",
        "Győző",
        "Ágnes",
        "Nagy Árpád",
        "Małgorzata",
        "Zieliński",
        "Wójcik",
        "Żurek",
        "Krzyśko",
        "Błażej",
        "Łódź",
    ] {
        for encoding in [Encoding::Windows1250, Encoding::Iso8859_2, Encoding::Cp852] {
            let bytes = encoding.bytes_of(&tagged(&[name]));
            assert_eq!(decode(&bytes, None).text, tagged(&[name]), "{encoding}");
        }
    }
    for name in [
        "Één", "Élodie", "Éric", "Écluse", "Åse", "Özgür", "Ünal", "Çelik", "één", "Noé", "Hü",
    ] {
        for encoding in [Encoding::Windows1252, Encoding::Cp850, Encoding::Cp437] {
            let bytes = encoding.bytes_of(&tagged(&[name]));
            assert_eq!(decode(&bytes, None).text, tagged(&[name]), "{encoding}");
        }
    }
    let macintosh: Encoding = "macintosh".parse().unwrap();
    for name in [
        "René",
        "Gérard Jansen",
        "Noël",
        "Müller",
        "François",
        "coup forcé",
        "Één zet",
        "Hélène",
    ] {
        let bytes = macintosh.bytes_of(&tagged(&[name]));
        assert_eq!(decode(&bytes, None).text, tagged(&[name]));
    }
    let koi8_u: Encoding = "KOI8-U".parse().unwrap();
    for name in ["Іваненко", "Київ", "Євген", "Олексій Ґудзь"] {
        let bytes = koi8_u.bytes_of(&tagged(&[name]));
        assert_eq!(decode(&bytes, None).text, tagged(&[name]));
    }
}

#[test]
fn signs_of_a_game_alone_tell_the_encoding() {
    for text in [
        "1. 32-28 19-23 2. 28x19 14x23 ½-½",
        "1. 32-28 19-23 2. 28×19 14×23 *",
        "[Result \"½-½\"]",
    ] {
        WESTERN_ENCODINGS
            .into_iter()
            .for_each(|encoding| is_read(encoding, text));
    }
    for text in [
        "1. 32–28 19–23",
        "{Ton’s zet – goed}",
        "{“Goed” gespeeld…}",
        "‘t Hoen",
        "«coup»",
        "50 €",
    ] {
        is_read(Encoding::Windows1252, text);
    }
}

#[test]
fn comments_tell_the_encoding_too() {
    let russian = "1. 32-28 {ход} 19-23 {Белые грозят комбинацией «удар Рафаэля».} 2. 28x19 {вынужденно} 14x23 *\n";
    RUSSIAN_ENCODINGS.into_iter().for_each(|encoding| {
        let text = russian.replace(['«', '»'], "\"");
        is_read(encoding, &text);
    });
    is_read(
        Encoding::Windows1251,
        &russian.replace("удар", "№ 5 – удар"),
    );
    for text in [
        "1. 32-28 {Énorme! Les blancs ont joué à côté.} 19-23 {déjà vu, ça gagne} *",
        "1. 32-28 {Zwart is in één zet verloren; geïsoleerd, coöperatief.} *",
        "1. 32-28 {Schöner Zug, aber zu spät für die Weißen.} *",
        "{El peón está perdido. ¿Señor Muñoz?}".trim_matches('¿'),
        "{Förlust för Åke Sjöberg på Öland}",
    ] {
        let text = text.replace('¿', "");
        WESTERN_ENCODINGS
            .into_iter()
            .for_each(|encoding| is_read(encoding, &text));
    }
}

#[test]
fn utf_16_is_known_by_its_mark_or_its_zeros() {
    let text = tagged(&["Иванов", "René", "𝕏"]);
    for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
        is_read(encoding, &text);
        let marked = encoding.bytes_of(&format!("\u{feff}{text}"));
        let decoded = decode(&marked, None);
        assert_eq!(
            (decoded.text.as_ref(), decoded.encoding),
            (text.as_str(), encoding)
        );
        assert_eq!(decode(&marked, Some(encoding)), decoded);
        for begin in ["Иванов", "Ё", "½-½ ", "“Één”, ", "Łukasz\t"] {
            is_read(encoding, &format!("{begin}{text}"));
            is_read(encoding, &format!("{begin}\n"));
        }
        // Half a character at the end.
        assert!(
            decode(&marked[..marked.len() - 1], None)
                .text
                .ends_with('\u{fffd}')
        );
    }
}

#[test]
fn lines_of_utf_8_stay_beside_others() {
    let name = Encoding::Cp866.bytes_of("Шварцман против Куперман\n");
    let word = Encoding::Cp866.bytes_of("ход\n");
    let whole = [&name, "Гантварг, René\n".as_bytes(), &word, b"32-28\r"].concat();
    let decoded = decode(&whole, None);
    assert_eq!(
        decoded.text,
        "Шварцман против Куперман\nГантварг, René\nход\n32-28\r"
    );
    assert_eq!(decoded.encoding, Encoding::Cp866);
    let whole = "\u{feff}René \u{2192} 日本\n";
    assert!(matches!(decode(whole.as_bytes(), None).text, Cow::Borrowed(text) if text == whole));
}

#[test]
fn the_encoding_that_is_given_is_taken() {
    for encoding in Encoding::ALL {
        let text = match encoding {
            Encoding::Koi8R | Encoding::Cp866 | Encoding::Windows1251 => "Яна 32-28",
            _ => "Émile 32-28 é",
        };
        let bytes = encoding.bytes_of(text);
        assert_eq!(decode(&bytes, Some(encoding)).text, text, "{encoding}");
        assert_eq!(encoding.name().parse(), Ok(encoding));
        assert_eq!(
            encoding.name().to_lowercase().replace('-', "").parse(),
            Ok(encoding)
        );
    }
    assert_eq!(decode(b"a\xffb", Some(Encoding::Utf8)).text, "a\u{fffd}b");
    assert_eq!(
        decode("é".as_bytes(), Some(Encoding::Windows1252)).text,
        "Ã©"
    );
    for (name, encoding) in [
        ("latin1", Encoding::Windows1252),
        ("850", Encoding::Cp850),
        ("cp1251", Encoding::Windows1251),
    ] {
        assert_eq!(name.parse(), Ok(encoding), "{name}");
    }
    let error = "latin-9000".parse::<Encoding>().unwrap_err().to_string();
    assert!(error.contains("KOI8-R, CP866, CP850"), "{error}");
}

/// Gives the bytes in pieces.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.0.len().min(self.1).min(buffer.len());
        let (now, rest) = self.0.split_at(length);
        buffer[..length].copy_from_slice(now);
        self.0 = rest;
        Ok(length)
    }
}

fn in_pieces(bytes: &[u8], size: usize) -> (String, Encoding) {
    let mut reader = Utf8Reader::new(Pieces(bytes, size), None);
    let mut text = Vec::new();
    reader.read_to_end(&mut text).unwrap();
    (String::from_utf8(text).unwrap(), reader.taken().get())
}

#[test]
fn a_line_of_any_length_is_read() {
    for (encoding, word) in [(Encoding::Utf8, "é€"), (Encoding::Windows1252, "geïnd…")] {
        let text = word.repeat(50_000);
        for size in [1 << 20, 1000, 65_536] {
            let read = in_pieces(&encoding.bytes_of(&text), size);
            assert!(read == (text.clone(), encoding), "{encoding}, {size}");
        }
    }
    let mut lines = Utf8Reader::new(Pieces(b"Andr\xe9\nnext\n", 6), None).at_once();
    let mut first = [0; 7];
    lines.read_exact(&mut first).unwrap();
    assert_eq!((&first[..], lines.input.0.len()), ("André\n".as_bytes(), 5));
    let mut rows = Utf8Reader::new(Pieces("row\nr\u{26c0}wmore".as_bytes(), 9), None).at_once();
    let mut first = [0; 100];
    assert_eq!(
        (rows.read(&mut first).unwrap(), rows.input.0),
        (9, &b"more"[..])
    );
    // What comes first is known before all is there.
    let mut long = "[White \"A\"]\n".repeat(50_000).into_bytes();
    long.extend(b"\xfcber");
    let mut reader = Utf8Reader::new(&long[..], None);
    let mut begin = [0; 1000];
    reader.read_exact(&mut begin).unwrap();
    assert_eq!(reader.taken().get(), Encoding::Utf8);
    assert!(decode(&long, None).text.ends_with("über"));
}

proptest! {
    #[test]
    fn bytes_are_counted(
        lines in prop::collection::vec((prop::sample::select(&DUTCH[..]), any::<bool>()), 1..8),
        end in "[\r\n]{1,2}",
    ) {
        let in_bytes = |count: usize, other: Encoding| -> Vec<u8> {
            let bytes = |(line, is_utf8): &(&str, bool)| {
                let encoding = if *is_utf8 { Encoding::Utf8 } else { other };
                encoding.bytes_of(&format!("{line}{end}"))
            };
            lines[..count].iter().flat_map(bytes).collect()
        };
        for other in [Encoding::Windows1252, Encoding::Utf8] {
            let whole = in_bytes(lines.len(), other);
            let decoded = decode(&whole, None);
            for count in 1..=lines.len() {
                let text: String = lines[..count].iter().map(|(line, _)| format!("{line}{end}")).collect();
                prop_assert_eq!(decoded.bytes_before(&whole, text.len()), in_bytes(count, other).len());
                let cut = text.len() - end.len();
                let bytes = in_bytes(count, other).len() - end.len();
                prop_assert_eq!(decoded.bytes_before(&whole, cut), bytes);
            }
        }
        let text: String = lines.iter().map(|(line, _)| format!("{line}{end}")).collect();
        let wide = Encoding::Utf16Be.bytes_of(&format!("\u{feff}{text}"));
        prop_assert_eq!(decode(&wide, None).bytes_before(&wide, text.len()), wide.len());
    }

    #[test]
    fn what_is_written_is_read(
        russian in prop::collection::vec(prop::sample::select(&RUSSIAN[..]), 1..6),
        western in prop::collection::vec(prop::sample::select(&DUTCH[..]), 1..6),
    ) {
        RUSSIAN_ENCODINGS.into_iter().for_each(|encoding| is_read(encoding, &tagged(&russian)));
        WESTERN_ENCODINGS.into_iter().for_each(|encoding| is_read(encoding, &tagged(&western)));
        is_read(Encoding::Utf8, &(tagged(&western) + &tagged(&russian)));
        is_read(Encoding::Utf16Be, &(tagged(&western) + &tagged(&russian)));
    }

    #[test]
    fn pieces_do_not_matter(
        bytes in prop::collection::vec(
            prop_oneof![any::<u8>(), Just(b'\n'), Just(b'a'), Just(0xd0), Just(0x94)],
            0..300
        ),
        size in 1usize..40,
    ) {
        let decoded = decode(&bytes, None);
        prop_assert_eq!(in_pieces(&bytes, size), (decoded.text.into_owned(), decoded.encoding));
    }
}

#[test]
fn the_rest_of_a_text_stays_in_its_encoding() {
    let name = b"[Site \"\xe9\"]\n";
    for (known, expected) in [
        (Encoding::Utf8, "é"),
        (Encoding::Koi8R, "И"),
        (Encoding::Windows1251, "й"),
    ] {
        let rest = decode_rest(name, known);
        assert!(rest.text.contains(expected), "{known}: {rest:?}");
        assert!(known == Encoding::Utf8 || rest.encoding == known);
    }
    // Lines of UTF-8 stay so, and plain ones say nothing.
    let rest = decode_rest("é\n".as_bytes(), Encoding::Koi8R);
    assert_eq!((&*rest.text, rest.encoding), ("é\n", Encoding::Koi8R));
    let wide = Encoding::Utf16Le.bytes_of("Иван\n");
    assert_eq!(decode_rest(&wide, Encoding::Utf16Le).text, "Иван\n");
}
