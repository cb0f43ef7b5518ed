//! Days as PDN writes them.

const SECONDS_OF_A_DAY: u64 = 86_400;

/// The day in UTC of a time in seconds since 1970, as the value of a `Date` tag: `2026.11.22`. Years begin in March
/// here, so that the leap day is the last (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
pub fn date(seconds: u64) -> String {
    // Days since 1 March of the year 0, in eras of 400 years.
    let days = seconds / SECONDS_OF_A_DAY + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}.{month:02}.{day:02}", era * 400 + year + next_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        // From `date -u -d @SECONDS`.
        for (seconds, expected) in [
            (0, "1970.01.01"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (1_704_067_199, "2023.12.31"),
            (1_795_305_600, "2026.11.22"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(seconds), expected);
        }
    }
}
