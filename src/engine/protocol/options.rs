//! Options: what one is, and how `setoption` finds and sets it.

use thiserror::Error;

use super::go::TimeUnit;
use super::manners::Peace;
use super::option_table::{IGNORED, OPTIONS};
use super::ranks::Ranks;
use super::words::{Words, excerpt};
use crate::engine;
use crate::search::{self, Knob};

/// Everything that options set: how the engine plays, and how the conversation is held.
#[derive(Debug)]
pub struct Options<'a> {
    /// What the engine is told.
    pub engine: &'a mut engine::Settings,
    /// What the session keeps to itself.
    pub talk: &'a mut Talk,
}

/// How the conversation is held.
#[derive(Debug, Clone)]
pub struct Talk {
    /// How moves are spelt in UCI (UCCI always counts ranks from 0).
    pub ranks: Ranks,
    /// The unit of UCCI's clock words.
    pub unit: TimeUnit,
    /// Lines that come during a search wait for its end.
    pub batch: bool,
    /// Tell more: every root move, every line received.
    pub debug: bool,
    /// Add win, draw and loss shares to UCI's info lines.
    pub show_wdl: bool,
    /// When to agree to a draw or offer one (UCCI).
    pub peace: Peace,
    /// Resign lost games (UCCI).
    pub gives_up: bool,
    /// Draw the board in colour.
    pub colour: bool,
}

impl Default for Talk {
    fn default() -> Talk {
        Talk {
            ranks: Ranks::FromZero,
            unit: TimeUnit::Milliseconds,
            batch: false,
            debug: false,
            show_wdl: false,
            peace: Peace::Answer,
            gives_up: false,
            colour: false,
        }
    }
}

/// What a button asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Forget the transposition table.
    ClearHash,
    /// A new game begins: forget everything learnt from the last.
    NewGame,
}

/// The kind of an option, with its default, its range, and what a value sets.
#[derive(Clone, Copy)]
pub enum Kind {
    /// On or off.
    Check(bool, fn(&mut Options, bool)),
    /// A number: default, least, most.
    Spin(i64, i64, i64, fn(&mut Options, i64)),
    /// One of several words, the default first: uci2wb loses the `default` field, and xboard then takes the
    /// first word as the present value and sends it back.
    Combo(&'static [&'static str], fn(&mut Options, usize)),
    /// A text, empty by default.
    Text(fn(&mut Options, &str)),
    /// Something to be done at once.
    Button(Action),
    /// A number of the search's own table (feature `tune`).
    Knob(&'static Knob),
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
    pub kind: Kind,
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
pub fn set(options: &mut Options, text: &str) -> Result<Option<Action>, OptionError> {
    let mut words = Words::new(text);
    words.accept("name");
    let (name, value) = match words.split_at_word("value") {
        (name, Some(value)) if find(name).is_some() => (name, value.rest()),
        _ => longest_name(words.rest()),
    };
    match find(name) {
        Some(Found::Spec(spec)) => spec.set(options, name, value),
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
    OPTIONS.iter().copied().chain(search::knobs().iter().map(|knob| OptionSpec::of_knob(knob)))
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
    let mut words = Words::new(text);
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
    let mut words = Words::new(value);
    if words.accept("value") { (name, words.rest()) } else { (name, value) }
}

impl OptionSpec {
    fn of_knob(knob: &'static Knob) -> OptionSpec {
        OptionSpec { uci: Some(knob.name), ucci: Some(knob.name), aliases: &[], kind: Kind::Knob(knob) }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.uci.into_iter().chain(self.ucci).chain(self.aliases.iter().copied())
    }

    /// Sets the option that the client calls by this name.
    fn set(&self, options: &mut Options, name: &str, value: &str) -> Result<Option<Action>, OptionError> {
        let wrong =
            |wanted: String| Err(OptionError::Value { name: excerpt(name), wanted, value: excerpt(value) });
        match self.kind {
            Kind::Check(_, set) => match value.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" | "yes" => set(options, true),
                "false" | "off" | "0" | "no" => set(options, false),
                _ => return wrong("true or false".into()),
            },
            Kind::Spin(_, min, max, set) => match value.parse::<i64>() {
                // Old clients send -1 for "the engine chooses", which is 0 today.
                Ok(-1) if min == 0 => set(options, 0),
                Ok(number) if (min..=max).contains(&number) => set(options, number),
                _ => return wrong(format!("a number from {min} to {max}")),
            },
            Kind::Combo(choices, set) => match choices.iter().position(|c| c.eq_ignore_ascii_case(value)) {
                Some(choice) => set(options, choice),
                None => return wrong(format!("one of: {}", choices.join(", "))),
            },
            Kind::Text(set) => set(options, if value == "<empty>" { "" } else { value }),
            Kind::Button(action) => return Ok(Some(action)),
            Kind::Knob(knob) => match value.parse() {
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
        talk: Talk,
    }

    impl Owned {
        fn set(&mut self, line: &str) -> Result<Option<Action>, OptionError> {
            set(&mut Options { engine: &mut self.engine, talk: &mut self.talk }, line)
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
        assert_eq!(button, Ok(Some(Action::ClearHash)));
        for line in ["newgame", "loadbook", "name newgame"] {
            assert_eq!(Owned::default().set(line), Ok(Some(Action::NewGame)), "{line}");
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
    fn setting_a_default_changes_nothing() {
        let mut options = Owned::default();
        let before = format!("{options:?}");
        for spec in OPTIONS.iter().filter(|spec| spec.ucci.is_some()) {
            let name = spec.ucci.unwrap();
            let line = match spec.kind {
                Kind::Check(default, _) => format!("{name} {default}"),
                Kind::Spin(default, ..) => format!("{name} {default}"),
                Kind::Combo(choices, _) => format!("{name} {}", choices[0]),
                Kind::Text(_) => format!("{name} <empty>"),
                Kind::Button(_) | Kind::Knob(_) => continue,
            };
            assert_eq!(options.set(&line), Ok(None), "{line}");
            assert_eq!(format!("{options:?}"), before, "{line}");
        }
    }

    #[test]
    fn knobs_are_options_where_they_can_be_turned() {
        for knob in search::knobs() {
            let before = knob.get();
            assert_eq!(Owned::default().set(&format!("name {} value {}", knob.name, knob.least)), Ok(None));
            assert_eq!(knob.get(), knob.least);
            let more = format!("name {} value {}", knob.name, knob.most + 1);
            assert!(Owned::default().set(&more).is_err());
            knob.set(before);
        }
        assert_eq!(search::knobs().is_empty(), cfg!(not(feature = "tune")));
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
