//! The options that an engine declares, and whether settings fit them.

use super::spec::OptionValues;

/// One declared option.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeclaredOption {
    /// The name of the option, as the engine spells it.
    pub name: String,
    /// The type: label, button, check, combo, spin or string.
    pub kind: String,
    /// Default value, if any.
    pub default: Option<String>,
    /// The least value of a spin.
    pub min: Option<i64>,
    /// The greatest value of a spin.
    pub max: Option<i64>,
    /// Values of a combo.
    pub values: Vec<String>,
}

impl DeclaredOption {
    /// Reads a line of either dialect: `option NAME type …` or `option name NAME type …`.
    pub fn read(line: &str) -> Option<DeclaredOption> {
        let mut words = line.split_whitespace().peekable();
        if words.next() != Some("option") {
            return None;
        }
        // An UCCI option may itself be called `name`; in UCI more than one word stands before `type`.
        let all: Vec<&str> = words.collect();
        let end = all.iter().position(|&w| w == "type")?;
        let name = match &all[..end] {
            ["name", rest @ ..] if !rest.is_empty() => rest.join(" "),
            [] => return None,
            words => words.join(" "),
        };
        let mut option = DeclaredOption { name, ..DeclaredOption::default() };
        let mut rest = all[end + 1..].iter();
        option.kind = (*rest.next()?).to_owned();
        let mut field = "";
        for &word in rest {
            match (word, field) {
                ("default" | "min" | "max" | "var", _) => {
                    field = word;
                    if field == "default" {
                        option.default = Some(String::new());
                    }
                }
                (value, "default") => append(option.default.get_or_insert_default(), value),
                (value, "min") => option.min = value.parse().ok(),
                (value, "max") => option.max = value.parse().ok(),
                (value, "var") => option.values.push(value.to_owned()),
                _ => {}
            }
        }
        Some(option)
    }

    /// Whether a user's spelling means this option: case, blanks and underscores do not matter.
    pub fn is_called(&self, name: &str) -> bool {
        let plain = |s: &str| s.replace('_', " ").to_lowercase();
        plain(&self.name) == plain(name)
    }

    /// Why a value cannot be set: what is wanted instead. Anything may be written into a string.
    pub fn refusal(&self, value: &str) -> Option<String> {
        let wanted = match self.kind.as_str() {
            "check" if !["true", "false"].contains(&value) => "true or false".to_owned(),
            "spin" => match (value.parse::<i64>(), self.min, self.max) {
                (Err(_), ..) => "a whole number".to_owned(),
                (Ok(number), Some(min), _) if number < min => format!("{min} at least"),
                (Ok(number), _, Some(max)) if number > max => format!("{max} at most"),
                (Ok(_), ..) => return None,
            },
            "combo" if !self.values.iter().any(|known| known.eq_ignore_ascii_case(value)) => {
                format!("one of {}", self.values.join(", "))
            }
            "button" if !value.is_empty() => "no value".to_owned(),
            _ => return None,
        };
        Some(format!("option {}: `{value}`: {wanted} is wanted", self.name))
    }
}

/// Why settings cannot be made with what an engine announced. An engine that announces nothing is assumed to know them.
pub fn refusal(declared: &[DeclaredOption], settings: &OptionValues) -> Option<String> {
    if declared.is_empty() {
        return None;
    }
    settings.iter().find_map(|(name, value)| match declared.iter().find(|option| option.is_called(name)) {
        Some(option) => option.refusal(&value.to_string()),
        None => Some(unknown(declared, name)),
    })
}

/// The complaint about an option that was not announced, with the name that was perhaps meant.
fn unknown(declared: &[DeclaredOption], name: &str) -> String {
    const ALIKE: f64 = 0.8;
    let likeness =
        |option: &DeclaredOption| strsim::jaro_winkler(&option.name.to_lowercase(), &name.to_lowercase());
    let nearest = declared.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match nearest.filter(|option| likeness(option) >= ALIKE) {
        Some(option) => format!("the engine has no option `{name}`; did you mean `{}`?", option.name),
        None => format!("the engine has no option `{name}`"),
    }
}

fn append(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engine::OptionValue;

    #[test]
    fn both_dialects() {
        let ucci = DeclaredOption::read("option hashsize type spin min 0 max 1024 default 16").unwrap();
        assert_eq!((ucci.name.as_str(), ucci.kind.as_str()), ("hashsize", "spin"));
        assert_eq!((ucci.min, ucci.max, ucci.default.as_deref()), (Some(0), Some(1024), Some("16")));
        let uci = DeclaredOption::read("option name Clear Hash type button").unwrap();
        assert_eq!((uci.name.as_str(), uci.kind.as_str(), uci.default), ("Clear Hash", "button", None));
        let combo =
            DeclaredOption::read("option name UCI_Variant type combo default chess var chess var xiangqi")
                .unwrap();
        assert_eq!(combo.values, ["chess", "xiangqi"]);
        let empty = DeclaredOption::read("option bookfiles type string default").unwrap();
        assert_eq!(empty.default.as_deref(), Some(""));
        let path = DeclaredOption::read("option name Book type string default a b c").unwrap();
        assert_eq!(path.default.as_deref(), Some("a b c"));
    }

    #[test]
    fn rubbish_is_no_option() {
        for line in ["", "option", "option type", "option x", "option x type", "info option x type spin"] {
            assert_eq!(DeclaredOption::read(line), None, "{line}");
        }
    }

    #[test]
    fn settings_that_do_not_fit_are_refused() {
        let lines = [
            "option hashsize type spin min 0 max 1024 default 16",
            "option usebook type check default true",
            "option name Style type combo default solid var solid var Risky",
            "option newgame type button",
            "option bookfiles type string default",
        ];
        let declared: Vec<DeclaredOption> =
            lines.iter().filter_map(|line| DeclaredOption::read(line)).collect();
        let refused = |name: &str, value: &str| {
            let value = OptionValue::Text(value.to_owned());
            refusal(&declared, &OptionValues::from([(name.to_owned(), value)]))
        };
        for (name, value) in [
            ("HashSize", "1024"),
            ("usebook", "false"),
            ("style", "risky"),
            ("newgame", ""),
            ("bookfiles", "a; b"),
        ] {
            assert_eq!(refused(name, value), None, "{name}={value}");
        }
        for (name, value, wanted) in [
            ("hashsize", "1025", "option hashsize: `1025`: 1024 at most is wanted"),
            ("hashsize", "-1", "option hashsize: `-1`: 0 at least is wanted"),
            ("hashsize", "many", "option hashsize: `many`: a whole number is wanted"),
            ("usebook", "no", "option usebook: `no`: true or false is wanted"),
            ("Style", "wild", "option Style: `wild`: one of solid, Risky is wanted"),
            ("newgame", "1", "option newgame: `1`: no value is wanted"),
            ("hashsiz", "1", "the engine has no option `hashsiz`; did you mean `hashsize`?"),
            ("contempt", "1", "the engine has no option `contempt`"),
        ] {
            assert_eq!(refused(name, value).as_deref(), Some(wanted));
        }
        assert_eq!(refusal(&[], &OptionValues::from([("x".to_owned(), OptionValue::Spin(1))])), None);
    }

    #[test]
    fn spelling_does_not_matter() {
        let option = DeclaredOption::read("option Clear_Hash type button").unwrap();
        assert!(
            option.is_called("clear hash") && option.is_called("Clear_Hash") && !option.is_called("Hash")
        );
    }
}
