//! The reports of a tuning: the values on their way, the table at the end, the picture.

use std::fmt::Write as _;

use super::knob::Knob;
use super::tuning::Tuning;
use crate::support::chart::{Chart, Panel, Series, SeriesShape};
use crate::support::text_table::{aligned, new_table};

/// Curves in a panel of the picture.
const CURVES: usize = 4;

/// Values in a progress line.
const SHOWN: usize = 12;

/// Knobs with their values.
fn values(course: &Tuning) -> impl Iterator<Item = (&Knob, f64)> {
    course.spsa().knobs.iter().zip(course.centre().iter().copied())
}

/// The values that have changed most, in one line.
pub fn line(course: &Tuning) -> String {
    let mut values: Vec<(&Knob, f64)> = values(course).collect();
    values.sort_by(|a, b| b.0.change(b.1).abs().total_cmp(&a.0.change(a.1).abs()));
    let words: Vec<String> =
        values.iter().take(SHOWN).map(|(knob, value)| format!("{} {value:.1}", knob.name)).collect();
    words.join(", ")
}

/// A table of all knobs, and the new values to be pasted: into the table of the search, and into the command line of
/// a match.
pub fn tables(course: &Tuning) -> String {
    let mut table = new_table();
    table.set_header(["knob", "start", "now", "range", "change in c", "c"]);
    for (knob, value) in values(course) {
        let Knob { name, start, least, most, c_end, .. } = knob;
        table.add_row([
            name.clone(),
            start.to_string(),
            format!("{value:.2}"),
            format!("{least} to {most}"),
            format!("{:+.2}", knob.change(value)),
            format!("{c_end:.2}"),
        ]);
    }
    let mut text = aligned(table, &[0, 3]) + "\n";
    let mut options = String::new();
    for (knob, value) in values(course) {
        let Knob { name, bounds: [least, most], .. } = knob;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} = {value:.0} in {least} to {most};");
        let _ = write!(options, " option.{name}={value:.0}");
    }
    text + "\n" + options.trim_start() + "\n"
}

/// The course of all values, each as a share of its range; some knobs in a panel.
pub fn picture(course: &Tuning) -> Chart {
    let curve = |(at, knob): (usize, &Knob)| Series {
        name: knob.name.clone(),
        shape: SeriesShape::Line,
        points: course
            .points()
            .map(|(iteration, centre)| (f64::from(iteration), knob.share(centre[at])))
            .collect(),
    };
    let curves: Vec<Series> = course.spsa().knobs.iter().enumerate().map(curve).collect();
    let panel = |(number, series): (usize, &[Series])| Panel {
        title: format!(
            "Knobs {} to {} of {}, share of their range",
            CURVES * number + 1,
            CURVES * number + series.len(),
            curves.len()
        ),
        axis: "iteration",
        covers: vec![0.0, 1.0],
        series: series.to_vec(),
    };
    Chart(curves.chunks(CURVES).enumerate().map(panel).collect())
}
