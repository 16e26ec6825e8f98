//! Options: what one is, and how `setoption` finds and sets it.

use thiserror::Error;

use super::option_table::{IGNORED, OPTIONS};
use super::session_options::SessionOptions;
use super::tokens::{Tokens, excerpt};
use crate::engine;
use crate::search::{self, Tunable};

/// The values of all options: how the engine plays, and how the session behaves.
#[derive(Debug)]
pub struct AllOptions<'a> {
    /// The settings of the engine.
    pub engine: &'a mut engine::Settings,
    /// The options of the session itself.
    pub session: &'a mut SessionOptions,
}

/// What a button asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ButtonAction {
    /// Forget the transposition table.
    ClearHash,
    /// A new game begins: forget everything learnt from the last.
    NewGame,
}

/// The kind of an option, with its range and the functions that read and write its value.
///
/// The default is not written here: it is the value that [`engine::Settings`] and [`SessionOptions`] begin with.
#[derive(Clone, Copy)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// Reads the value.
        get: fn(&AllOptions) -> bool,
        /// Writes the value.
        set: fn(&mut AllOptions, bool),
    },
    /// A whole number.
    Spin {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Reads the value.
        get: fn(&AllOptions) -> i64,
        /// Writes the value.
        set: fn(&mut AllOptions, i64),
    },
    /// One of several words.
    Combo {
        /// The words.
        choices: &'static [&'static str],
        /// Reads the place of the value among the words.
        get: fn(&AllOptions) -> usize,
        /// Writes the value, given its place among the words.
        set: fn(&mut AllOptions, usize),
    },
    /// A text that is empty by default.
    Text(fn(&mut AllOptions, &str)),
    /// Something to be done at once.
    Button(ButtonAction),
    /// A number of the search's own table (feature `tune`).
    Tunable(&'static Tunable),
}

/// An option. It is announced in the dialects in which it has a name, and understood in both.
#[derive(Clone, Copy)]
pub struct OptionSpec {
    /// Its name in UCI.
    pub uci: Option<&'static str>,
    /// Its name in UCCI: one word in small letters, without any of the words gmchess searches for.
    pub ucci: Option<&'static str>,
    /// Names that older programs use, never announced.
    pub aliases: &'static [&'static str],
    /// Its kind, range and effect.
    pub kind: OptionKind,
}

/// Why an option was not set. Nothing changes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("no option is called `{0}`")]
    Unknown(String),
    /// The value does not fit the option.
    #[error("option {name} wants {wanted}, not `{value}`")]
    Value {
        /// The option's name, as the client has it.
        name: String,
        /// What values it takes.
        wanted: String,
        /// What was sent.
        value: String,
    },
}

/// Sets the option that the words behind `setoption` name: `[name] NAME [value] VALUE`, where NAME may hold
/// blanks (or underscores in their place) and VALUE runs to the end of the line. Says what a button asks for.
pub fn set(values: &mut AllOptions, text: &str) -> Result<Option<ButtonAction>, OptionError> {
    let mut words = Tokens::new(text);
    words.accept("name");
    let (name, value) = match words.split_at_word("value") {
        (name, Some(value)) if find(name).is_some() => (name, value.rest()),
        _ => longest_name(words.rest()),
    };
    match find(name) {
        Some(Found::Spec(spec)) => spec.set(values, name, value),
        Some(Found::Ignored) => Ok(None),
        None => Err(OptionError::Unknown(excerpt(name))),
    }
}

enum Found {
    Spec(OptionSpec),
    Ignored,
}

/// All options: those of the table, and the knobs of the search where they can be turned.
pub fn all() -> impl Iterator<Item = OptionSpec> {
    OPTIONS.iter().copied().chain(search::tunables().iter().map(|knob| OptionSpec::of_knob(knob)))
}

/// Names are compared by their letters and digits, in any case.
fn plain(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

fn find(name: &str) -> Option<Found> {
    let same = |other: &str| plain(name).eq(plain(other));
    let spec = all().find(|spec| spec.names().any(same)).map(Found::Spec);
    spec.or_else(|| IGNORED.iter().any(|other| same(other)).then_some(Found::Ignored))
}

/// Splits `Skill Level 20` where no word `value` helps: the longest beginning that is a name, else one word.
fn longest_name(text: &str) -> (&str, &str) {
    const MOST_WORDS: usize = 4;
    let mut words = Tokens::new(text);
    let mut split = None;
    for _ in 0..MOST_WORDS {
        if words.next().is_none() {
            break;
        }
        let rest = words.rest();
        let name = text[..text.len() - rest.len()].trim();
        if split.is_none() || find(name).is_some() {
            split = Some((name, rest));
        }
    }
    let (name, value) = split.unwrap_or((text, ""));
    // `setoption hashsize value 16`: a left-over of the other dialect.
    let mut words = Tokens::new(value);
    if words.accept("value") { (name, words.rest()) } else { (name, value) }
}

impl OptionSpec {
    fn of_knob(knob: &'static Tunable) -> OptionSpec {
        OptionSpec {
            uci: Some(knob.name),
            ucci: Some(knob.name),
            aliases: &[],
            kind: OptionKind::Tunable(knob),
        }
    }

    /// The names under which the option is announced, UCI's first.
    pub fn announced(&self) -> impl Iterator<Item = &'static str> {
        self.uci.into_iter().chain(self.ucci)
    }

    /// The value of the option as a client writes it; buttons have none.
    fn value_text(&self, values: &AllOptions) -> Option<String> {
        match self.kind {
            OptionKind::Check { get, .. } => Some(get(values).to_string()),
            OptionKind::Spin { get, .. } => Some(get(values).to_string()),
            OptionKind::Combo { choices, get, .. } => Some(choices[get(values)].to_owned()),
            // An empty default must be visible: Python's cchess trips over a line that ends in `default`.
            OptionKind::Text(_) => Some("<empty>".to_owned()),
            OptionKind::Button(_) => None,
            OptionKind::Tunable(knob) => Some(knob.default.to_string()),
        }
    }

    /// The value in force before a client sets any, which is the default to announce.
    pub fn default_text(&self) -> Option<String> {
        let (mut engine, mut session) = (engine::Settings::default(), SessionOptions::default());
        self.value_text(&AllOptions { engine: &mut engine, session: &mut session })
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.announced().chain(self.aliases.iter().copied())
    }

    /// Sets the option that the client calls by this name.
    fn set(
        &self,
        values: &mut AllOptions,
        name: &str,
        value: &str,
    ) -> Result<Option<ButtonAction>, OptionError> {
        let wrong =
            |wanted: String| Err(OptionError::Value { name: excerpt(name), wanted, value: excerpt(value) });
        match self.kind {
            OptionKind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" | "yes" => set(values, true),
                "false" | "off" | "0" | "no" => set(values, false),
                _ => return wrong("true or false".into()),
            },
            OptionKind::Spin { min, max, set, .. } => match value.parse::<i64>() {
                // Old clients send -1 for "the engine chooses", which is 0 today.
                Ok(-1) if min == 0 => set(values, 0),
                Ok(number) if (min..=max).contains(&number) => set(values, number),
                _ => return wrong(format!("a number from {min} to {max}")),
            },
            OptionKind::Combo { choices, set, .. } => {
                match choices.iter().position(|c| c.eq_ignore_ascii_case(value)) {
                    Some(choice) => set(values, choice),
                    None => return wrong(format!("one of: {}", choices.join(", "))),
                }
            }
            OptionKind::Text(set) => set(values, if value == "<empty>" { "" } else { value }),
            OptionKind::Button(action) => return Ok(Some(action)),
            OptionKind::Tunable(knob) => match value.parse() {
                Ok(number) if (knob.least..=knob.most).contains(&number) => knob.set(number),
                _ => return wrong(format!("a number from {} to {}", knob.least, knob.most)),
            },
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default)]
    struct Owned {
        engine: engine::Settings,
        session: SessionOptions,
    }

    impl Owned {
        fn set(&mut self, line: &str) -> Result<Option<ButtonAction>, OptionError> {
            set(&mut AllOptions { engine: &mut self.engine, session: &mut self.session }, line)
        }
    }

    fn after(lines: &[&str]) -> Owned {
        let mut options = Owned::default();
        for line in lines {
            assert!(options.set(line).is_ok(), "{line}");
        }
        options
    }

    #[test]
    fn all_spellings_of_a_setting_are_understood() {
        for line in [
            "hashsize 77",
            "name Hash value 77",
            "name hashsize value 77",
            "Hash  77",
            "hashsize value 77",
            "HASH 77",
            "name  hash  value  77",
        ] {
            assert_eq!(after(&[line]).engine.hash_mb, 77, "{line}");
        }
        for line in ["name Skill Level value 7", "Skill_Level 7", "skill level 7", "skill 7"] {
            assert_eq!(after(&[line]).engine.skill, 7, "{line}");
        }
        for line in ["usebook off", "usebook false", "usebook 0", "name usebook value FALSE", "OwnBook no"] {
            assert!(!after(&[line]).engine.use_book, "{line}");
        }
        let button = Owned::default().set("name clear hash value true");
        assert_eq!(button, Ok(Some(ButtonAction::ClearHash)));
        for line in ["newgame", "loadbook", "name newgame"] {
            assert_eq!(Owned::default().set(line), Ok(Some(ButtonAction::NewGame)), "{line}");
        }
    }

    #[test]
    fn a_text_runs_to_the_end_of_the_line() {
        let files = |line| after(&[line]).engine.book_files;
        assert_eq!(files("bookfiles /my  value/a.obk;b.obk"), ["/my  value/a.obk", "b.obk"]);
        assert_eq!(files("name Book Files value a b"), ["a b"]);
        assert!(files("bookfiles <empty>").is_empty() && files("bookfiles").is_empty());
    }

    #[test]
    fn zero_and_minus_one_leave_the_choice_to_the_engine() {
        for value in ["0", "-1"] {
            let options = after(&[&format!("hashsize {value}"), &format!("threads {value}")]);
            assert_eq!((options.engine.hash_mb, options.engine.threads), (0, 0), "{value}");
        }
    }

    #[test]
    fn bad_names_and_values_change_nothing_and_say_why() {
        let mut options = Owned::default();
        let before = format!("{options:?}");
        for line in [
            "",
            "nonsense",
            "name nonsense value 3",
            "hashsize",
            "hashsize x",
            "hashsize -5",
            "MultiPV 0",
            "threads 99999",
            "usebook maybe",
            "idle asleep",
            "UCI_Variant value chess",
            "value 3",
            "hashsize 99999999999999999999",
        ] {
            let message = options.set(line).unwrap_err().to_string();
            assert!(!message.contains('\n'), "{message}");
            assert_eq!(format!("{options:?}"), before, "{line}");
        }
    }

    #[test]
    fn complaints_call_options_as_the_client_does() {
        for (line, name) in [
            ("hashsize x", "hashsize"),
            ("name Hash value x", "Hash"),
            ("name hash value x", "hash"),
            ("Skill Level x", "Skill Level"),
        ] {
            let message = Owned::default().set(line).unwrap_err().to_string();
            assert!(message.starts_with(&format!("option {name} wants a number from ")), "{message}");
        }
    }

    #[test]
    fn setting_an_announced_default_changes_nothing() {
        let mut options = Owned::default();
        let before = format!("{options:?}");
        for spec in OPTIONS.iter().filter(|spec| spec.announced().next().is_some()) {
            let Some(default) = spec.default_text() else { continue };
            for name in spec.announced() {
                for line in [format!("{name} {default}"), format!("name {name} value {default}")] {
                    assert_eq!(options.set(&line), Ok(None), "{line}");
                    assert_eq!(format!("{options:?}"), before, "{line}");
                }
            }
        }
    }

    #[test]
    fn what_is_set_is_read_back() {
        let mut options = Owned::default();
        for spec in OPTIONS {
            let values: Vec<String> = match spec.kind {
                OptionKind::Check { .. } => vec!["true".into(), "false".into()],
                OptionKind::Spin { min, max, .. } if spec.announced().next().is_some() => {
                    vec![min.to_string(), max.to_string()]
                }
                OptionKind::Combo { choices, .. } => choices.iter().map(|&word| word.to_owned()).collect(),
                _ => continue,
            };
            for value in values {
                let name = spec.names().next().unwrap();
                assert_eq!(options.set(&format!("name {name} value {value}")), Ok(None), "{name}");
                let values = AllOptions { engine: &mut options.engine, session: &mut options.session };
                assert_eq!(spec.value_text(&values), Some(value), "{name}");
            }
        }
    }

    #[test]
    fn knobs_are_options_where_they_can_be_turned() {
        for knob in search::tunables() {
            let before = knob.get();
            assert_eq!(Owned::default().set(&format!("name {} value {}", knob.name, knob.least)), Ok(None));
            assert_eq!(knob.get(), knob.least);
            let more = format!("name {} value {}", knob.name, knob.most + 1);
            assert!(Owned::default().set(&more).is_err());
            knob.set(before);
        }
        assert_eq!(search::tunables().is_empty(), cfg!(not(feature = "tune")));
    }

    #[test]
    fn blind_settings_of_other_programs_pass() {
        for line in
            ["pruning  large", "knowledge none", "promotion false", "useegtb true", "name Slow Mover value 9"]
        {
            assert_eq!(Owned::default().set(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn names_are_unique_and_ucci_names_are_safe() {
        let names: Vec<String> =
            OPTIONS.iter().flat_map(OptionSpec::names).map(|name| plain(name).collect()).collect();
        for spec in OPTIONS {
            let ucci = spec.ucci.unwrap_or("fine");
            assert!(ucci.bytes().all(|b| b.is_ascii_lowercase()), "{ucci}");
            assert!(!ucci.contains("draw") && !ucci.contains("resign"), "{ucci}");
        }
        let ignored = IGNORED.iter().map(|name| name.to_string());
        for (index, name) in names.iter().cloned().chain(ignored).enumerate() {
            assert!(!names[..index.min(names.len())].contains(&name) || twin(&name), "{name}");
        }
    }

    /// Names that are the same in both dialects but for case and blanks stand next to each other.
    fn twin(name: &str) -> bool {
        OPTIONS.iter().any(|spec| spec.names().filter(|other| plain(other).eq(name.chars())).count() == 2)
    }
}
