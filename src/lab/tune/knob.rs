//! What is tuned: the numbers among the options of an engine, with their ranges.

use serde::Serialize;
use thiserror::Error;

use crate::arena::engine::DeclaredOption;

/// The default of [`Knob::c_end`] as a share of the range.
const USUAL_SPREAD: f64 = 1.0 / 20.0;
/// The least default of [`Knob::c_end`], so that the two sides of the centre differ.
const LEAST_SPREAD: f64 = 0.5;
/// The default of [`Knob::r_end`].
const USUAL_RATE: f64 = 0.002;

/// An option that is tuned.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Knob {
    /// The name of the option, as the engine spells it.
    pub name: String,
    /// The value at the start.
    pub start: i64,
    /// The least value tried.
    pub least: i64,
    /// The largest value tried.
    pub most: i64,
    /// The range that the engine allows.
    pub bounds: [i64; 2],
    /// How far it is moved off the centre in the last iteration.
    pub c_end: f64,
    /// How much of `c_end` a won game of the last iteration moves the centre.
    pub r_end: f64,
}

/// Why an option cannot be tuned.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum KnobError {
    /// Words of `--knob` that are not understood.
    #[error("--knob {words}: {wanted} is wanted")]
    Words {
        /// The words.
        words: String,
        /// What they should be.
        wanted: &'static str,
    },
    /// No such option.
    #[error("the engine has no option `{0}`")]
    Unknown(String),
    /// The option is not a number within bounds.
    #[error("option `{0}` of the engine is no number with a default, a minimum and a maximum")]
    NoNumber(String),
    /// A range that is empty, or goes beyond that of the engine, or a start outside.
    #[error("{name}: {start} in {least} to {most} is no range within the engine's, {low} to {high}")]
    Range {
        /// Name of the option.
        name: String,
        /// Where it should begin.
        start: i64,
        /// The least value wanted.
        least: i64,
        /// The largest value wanted.
        most: i64,
        /// The engine's minimum.
        low: i64,
        /// The engine's maximum.
        high: i64,
    },
    /// Named more than once.
    #[error("{0}: named twice")]
    Twice(String),
    /// Nothing to tune.
    #[error("the engine has no knobs among its options: is it built with the feature `tune`?")]
    None,
}

/// The words `NAME=START:LEAST:MOST:C_END:R_END` of the command line; what is left out or empty stays as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct KnobOverride {
    words: String,
    name: String,
    range: [Option<i64>; 3],
    steps: [Option<f64>; 2],
}

impl KnobOverride {
    /// Reads the words.
    ///
    /// # Errors
    /// They are not understood.
    pub fn read(words: &str) -> Result<KnobOverride, KnobError> {
        let wrong = |wanted| KnobError::Words { words: words.to_owned(), wanted };
        let form = "NAME=START:LEAST:MOST:C_END:R_END";
        let (name, rest) = words.split_once('=').ok_or_else(|| wrong(form))?;
        let fields: Vec<&str> = rest.split(':').collect();
        if name.is_empty() || fields.len() > 5 {
            return Err(wrong(form));
        }
        let field = |at: usize| fields.get(at).copied().filter(|field| !field.is_empty());
        let (mut range, mut steps) = ([None; 3], [None; 2]);
        for (at, place) in range.iter_mut().enumerate() {
            *place = field(at).map(|word| word.parse().map_err(|_| wrong("a whole number"))).transpose()?;
        }
        for (at, place) in steps.iter_mut().enumerate() {
            let positive = |word: &str| word.parse().ok().filter(|n: &f64| n.is_finite() && *n > 0.0);
            let read = |word| positive(word).ok_or_else(|| wrong("a number above 0 for C_END and R_END"));
            *place = field(3 + at).map(read).transpose()?;
        }
        Ok(KnobOverride { words: words.to_owned(), name: name.to_owned(), range, steps })
    }
}

impl Knob {
    /// The knob that an option is, if it is a number with a range.
    fn of(option: &DeclaredOption) -> Result<Knob, KnobError> {
        let default = option.default.as_deref().and_then(|default| default.parse::<i64>().ok());
        match (option.kind.as_str(), default, option.min, option.max) {
            ("spin", Some(start), Some(least), Some(most)) => {
                Ok(Knob::new(&option.name, start, [least, most]))
            }
            _ => Err(KnobError::NoNumber(option.name.clone())),
        }
    }

    fn new(name: &str, start: i64, bounds: [i64; 2]) -> Knob {
        let [least, most] = bounds;
        Knob { name: name.to_owned(), start, least, most, bounds, c_end: 0.0, r_end: USUAL_RATE }
    }

    fn adjust(mut self, wish: Option<&KnobOverride>) -> Result<Knob, KnobError> {
        let [start, least, most] = wish.map_or([None; 3], |wish| wish.range);
        let [c_end, r_end] = wish.map_or([None; 2], |wish| wish.steps);
        self.start = start.unwrap_or(self.start);
        self.least = least.unwrap_or(self.least);
        self.most = most.unwrap_or(self.most);
        let [low, high] = self.bounds;
        let Knob { start, least, most, .. } = self;
        if !(low <= least && least < most && most <= high && (least..=most).contains(&start)) {
            return Err(KnobError::Range { name: self.name, start, least, most, low, high });
        }
        self.c_end = c_end.unwrap_or_else(|| (USUAL_SPREAD * (most as f64 - least as f64)).max(LEAST_SPREAD));
        self.r_end = r_end.unwrap_or(self.r_end);
        Ok(self)
    }

    /// A value brought into the range.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.least as f64, self.most as f64)
    }

    /// How far a value is from the start, in units of [`Knob::c_end`].
    pub fn change(&self, value: f64) -> f64 {
        (value - self.start as f64) / self.c_end
    }

    /// Where a value is in the range: 0 the least, 1 the most.
    pub fn share(&self, value: f64) -> f64 {
        (value - self.least as f64) / (self.most as f64 - self.least as f64)
    }
}

/// Whether an option has the name of a knob of this program's search: small letters and an underscore.
fn is_knob(option: &DeclaredOption) -> bool {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    option.kind == "spin" && option.name.contains('_') && option.name.bytes().all(letter)
}

/// The options of an engine that are to be tuned: those of `names` and `wishes`; if there are none, or `all` is
/// among the names, every knob.
///
/// # Errors
/// Returns an error if one of them does not exist, or its range is invalid.
pub fn choose(
    options: &[DeclaredOption],
    names: &[String],
    wishes: &[KnobOverride],
) -> Result<Vec<Knob>, KnobError> {
    let find = |name: &str| {
        let found = options.iter().find(|option| option.is_called(name));
        found.ok_or_else(|| KnobError::Unknown(name.to_owned()))
    };
    let all = names.iter().any(|name| name == "all") || (names.is_empty() && wishes.is_empty());
    let mut chosen: Vec<&DeclaredOption> = options.iter().filter(|option| all && is_knob(option)).collect();
    for name in names.iter().filter(|name| *name != "all") {
        let option = find(name)?;
        if names.iter().filter(|other| option.is_called(other)).count() > 1 {
            return Err(KnobError::Twice(option.name.clone()));
        }
        if !chosen.contains(&option) {
            chosen.push(option);
        }
    }
    for wish in wishes {
        let option = find(&wish.name)?;
        if wishes.iter().filter(|other| option.is_called(&other.name)).count() > 1 {
            return Err(KnobError::Twice(format!("--knob {}", wish.words)));
        }
        if !chosen.contains(&option) {
            chosen.push(option);
        }
    }
    let wish = |option: &DeclaredOption| wishes.iter().find(|wish| option.is_called(&wish.name));
    let knobs = chosen.into_iter().map(|option| Knob::of(option)?.adjust(wish(option)));
    let knobs: Vec<Knob> = knobs.collect::<Result<_, _>>()?;
    if knobs.is_empty() { Err(KnobError::None) } else { Ok(knobs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<DeclaredOption> {
        let lines = [
            "option name Hash type spin default 16 min 0 max 1024",
            "option name rfp_margin type spin default 75 min 30 max 150",
            "option name null_base type spin default 4 min 2 max 7",
            "option name use_book type check default true",
            "option name bad_range type spin default 4",
        ];
        lines.iter().map(|line| DeclaredOption::read(line).unwrap()).collect()
    }

    fn chosen(names: &[&str], wishes: &[&str]) -> Result<Vec<Knob>, KnobError> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let wishes = wishes.iter().map(|words| KnobOverride::read(words)).collect::<Result<Vec<_>, _>>()?;
        choose(&options()[..4], &names, &wishes)
    }

    fn names(knobs: &[Knob]) -> Vec<&str> {
        knobs.iter().map(|knob| knob.name.as_str()).collect()
    }

    #[test]
    fn ranges_are_those_of_the_engine_unless_others_are_wished() {
        let knobs = chosen(&[], &[]).unwrap();
        assert_eq!(names(&knobs), ["rfp_margin", "null_base"]);
        assert_eq!((knobs[0].start, knobs[0].least, knobs[0].most), (75, 30, 150));
        assert_eq!((knobs[0].c_end, knobs[0].r_end, knobs[1].c_end), (6.0, 0.002, 0.5));
        let knobs = chosen(&["all"], &["rfp_margin=80:40:100:7:0.01"]).unwrap();
        assert_eq!((knobs[0].start, knobs[0].least, knobs[0].most), (80, 40, 100));
        assert_eq!((knobs[0].c_end, knobs[0].r_end, knobs[0].bounds), (7.0, 0.01, [30, 150]));
        assert_eq!(knobs.len(), 2);
        let knobs = chosen(&[], &["rfp_margin=:50::7"]).unwrap();
        assert_eq!((knobs.len(), knobs[0].start, knobs[0].least, knobs[0].c_end), (1, 75, 50, 7.0));
        assert_eq!(names(&chosen(&["null_base", "hash"], &[]).unwrap()), ["null_base", "Hash"]);
    }

    #[test]
    fn what_cannot_be_tuned_is_named() {
        let error = |names: &[&str], wishes: &[&str]| chosen(names, wishes).unwrap_err().to_string();
        assert_eq!(error(&["rfp"], &[]), "the engine has no option `rfp`");
        assert_eq!(error(&[], &["rfp=1"]), "the engine has no option `rfp`");
        assert!(error(&["use_book"], &[]).starts_with("option `use_book` of the engine is no number"));
        assert_eq!(error(&["null_base", "null base"], &[]), "null_base: named twice");
        assert!(error(&[], &["null_base=3", "null_base=4"]).ends_with("named twice"));
        for words in ["null_base=1", "null_base=4:1", "null_base=4:4:4", "null_base=4:2:8", "null_base=2:3"] {
            assert!(error(&[], &[words]).contains("is no range within the engine's, 2 to 7"), "{words}");
        }
        for words in ["null_base", "=3", "null_base=1:2:3:4:5:6"] {
            assert!(error(&[], &[words]).ends_with("R_END is wanted"), "{words}");
        }
        for words in ["null_base=x", "null_base=4:2:7:0", "null_base=4:2:7:1:nan", "null_base=4:2:7:-1"] {
            assert!(error(&[], &[words]).starts_with(&format!("--knob {words}: a ")), "{words}");
        }
        let without = choose(&options()[..1], &[], &[]).unwrap_err();
        assert!(without.to_string().contains("built with the feature `tune`"));
        let unbounded = choose(&options(), &[], &[]).unwrap_err();
        assert_eq!(unbounded, KnobError::NoNumber("bad_range".to_owned()));
    }

    #[test]
    fn all_knobs_of_the_search_are_known_by_their_names() {
        for knob in juzhong_engine::search::tunables() {
            let line = format!(
                "option name {} type spin default {} min {} max {}",
                knob.name, knob.default, knob.least, knob.most
            );
            assert!(is_knob(&DeclaredOption::read(&line).unwrap()), "{line}");
        }
    }
}
