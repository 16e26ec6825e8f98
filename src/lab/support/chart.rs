//! Curves and bars as an SVG picture.

use std::fmt::{self, Display};

const WIDTH: f64 = 720.0;
/// Height of a panel.
const HEIGHT: f64 = 420.0;
/// Left, right, top, bottom of the field of a panel where the curves are.
const FIELD: [f64; 4] = [80.0, 700.0, 60.0, 370.0];
/// Width of an entry of the legend: four stand side by side above the field.
const LEGEND: f64 = 155.0;
const INK: &str = "#333";
const GRID: &str = "#ddd";
/// One colour a series.
const COLOURS: [&str; 4] = ["#c0392b", "#2c5f8a", "#6b8e23", "#8e6b23"];

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesShape {
    /// A line from point to point.
    Line,
    /// A bar from zero to each point.
    Bars,
}

/// Numbers that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What they are.
    pub name: String,
    /// How they are drawn.
    pub shape: SeriesShape,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Some series over the same axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What stands above.
    pub title: String,
    /// What the horizontal axis counts.
    pub axis: &'static str,
    /// What the vertical axis covers whatever the points are, if anything.
    pub covers: Vec<f64>,
    /// The series, at most four.
    pub series: Vec<Series>,
}

/// Panels, one below the other. Shown as a whole SVG file.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart(pub Vec<Panel>);

/// A range of numbers and how they are divided.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
}

impl Axis {
    /// Covers all numbers with about six lines at round numbers.
    fn new(numbers: impl Iterator<Item = f64> + Clone) -> Axis {
        let (low, high) = (numbers.clone().fold(f64::MAX, f64::min), numbers.fold(f64::MIN, f64::max));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let reach = (high - low).max(1e-6);
        let power = 10f64.powf((reach / 6.0).log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
        let step = steps.into_iter().find(|step| reach / step <= 6.0).unwrap_or(reach);
        Axis { low: (low / step).floor() * step, high: (low + reach).max(high), step }
    }

    fn lines(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step + 1e-9) as usize;
        (0..=count).map(|number| self.low + number as f64 * self.step)
    }

    /// Where a number is between two ends.
    fn place(&self, number: f64, begin: f64, end: f64) -> f64 {
        begin + (end - begin) * (number - self.low) / (self.high - self.low)
    }

    /// Digits behind the point that its lines need.
    fn digits(&self) -> usize {
        (-self.step.log10().floor()).max(0.0) as usize
    }
}

impl Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let height = HEIGHT * self.0.len().max(1) as f64;
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>"
        )?;
        for (number, panel) in self.0.iter().enumerate() {
            writeln!(f, "<g transform=\"translate(0 {})\">\n{panel}</g>", HEIGHT * number as f64)?;
        }
        writeln!(f, "</svg>")
    }
}

impl Display for Panel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points = || self.series.iter().flat_map(|series| series.points.iter().copied());
        let covers = self.covers.iter().copied();
        // Bars stand on zero.
        let ground = self.series.iter().filter(|series| series.shape == SeriesShape::Bars).map(|_| 0.0);
        let axes = [
            Axis::new(points().map(|(x, _)| x)),
            Axis::new(points().map(|(_, y)| y).chain(ground).chain(covers)),
        ];
        let x = FIELD[0];
        writeln!(
            f,
            "<text x=\"{x}\" y=\"28\" font-size=\"15\" fill=\"{INK}\">{}</text>",
            escape(&self.title)
        )?;
        self.grid(f, &axes)?;
        for (number, (series, colour)) in self.series.iter().zip(COLOURS).enumerate() {
            series.draw(f, &axes, colour)?;
            // Between title and field, where no curve goes.
            let x = FIELD[0] + LEGEND * number as f64;
            writeln!(
                f,
                "<path d=\"M{x} 42h24\" stroke=\"{colour}\" stroke-width=\"2\"/>\
                 <text x=\"{text}\" y=\"46\" fill=\"{INK}\">{name}</text>",
                text = x + 30.0,
                name = escape(&series.name),
            )?;
        }
        Ok(())
    }
}

impl Panel {
    fn grid(&self, f: &mut fmt::Formatter<'_>, [across, up]: &[Axis; 2]) -> fmt::Result {
        let [left, right, top, bottom] = FIELD;
        for value in up.lines() {
            let y = up.place(value, bottom, top);
            writeln!(
                f,
                "<path d=\"M{left} {y:.1}H{right}\" stroke=\"{GRID}\"/>\
                 <text x=\"{x}\" y=\"{below:.1}\" text-anchor=\"end\" fill=\"{INK}\">{value:.digits$}</text>",
                x = left - 8.0,
                below = y + 4.0,
                digits = up.digits(),
            )?;
        }
        for value in across.lines() {
            let x = across.place(value, left, right);
            writeln!(
                f,
                "<path d=\"M{x:.1} {bottom}v5\" stroke=\"{INK}\"/>\
                 <text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{INK}\">{value:.digits$}</text>",
                y = bottom + 20.0,
                digits = across.digits(),
            )?;
        }
        writeln!(
            f,
            "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"{INK}\"/>\
             <text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{INK}\">{axis}</text>",
            x = (left + right) / 2.0,
            y = bottom + 40.0,
            axis = self.axis,
        )
    }
}

impl Series {
    fn draw(&self, f: &mut fmt::Formatter<'_>, [across, up]: &[Axis; 2], colour: &str) -> fmt::Result {
        let [left, right, top, bottom] = FIELD;
        let places =
            self.points.iter().map(|&(x, y)| (across.place(x, left, right), up.place(y, bottom, top)));
        match self.shape {
            SeriesShape::Line => {
                let points: Vec<String> = places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                let points = points.join(" ");
                writeln!(
                    f,
                    "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
                )
            }
            SeriesShape::Bars => {
                let width = 0.8 * (right - left) / self.points.len().max(1) as f64;
                let path: String = places.map(|(x, y)| format!("M{x:.1} {bottom}V{y:.1}")).collect();
                writeln!(f, "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"{width:.1}\"/>")
            }
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(shape: SeriesShape, points: &[(f64, f64)]) -> String {
        let series = vec![Series { name: "s".to_owned(), shape, points: points.to_vec() }];
        Chart(vec![Panel { title: "a < b".to_owned(), axis: "x", covers: Vec::new(), series }]).to_string()
    }

    #[test]
    fn axes_have_round_lines_that_cover_their_numbers() {
        for (low, high) in [(0.0713, 0.0922), (0.0, 1.0), (3.0, 3.0), (-1500.0, 1500.0)] {
            let axis = Axis::new([low, high].into_iter());
            let lines: Vec<f64> = axis.lines().collect();
            assert!((2..=8).contains(&lines.len()), "{low} {high}: {lines:?}");
            assert!(axis.low <= low && axis.high >= high, "{low} {high}: {lines:?}");
        }
        assert_eq!(Axis::new([0.0713, 0.0922].into_iter()).digits(), 3);
    }

    #[test]
    fn lines_and_bars_go_where_their_numbers_are() {
        let line = panel(SeriesShape::Line, &[(1.0, 0.5), (2.0, 0.25), (3.0, 0.0)]);
        assert!(line.contains("a &lt; b") && line.trim_end().ends_with("</svg>"));
        assert!(line.contains("points=\"80.0,60.0 390.0,215.0 700.0,370.0\""), "{line}");
        let bars = panel(SeriesShape::Bars, &[(1.0, 10.0), (2.0, 5.0)]);
        assert!(bars.contains("d=\"M80.0 370V60.0M700.0 370V215.0\""), "{bars}");
    }

    #[test]
    fn nothing_gives_a_picture_too() {
        for points in [&[][..], &[(0.1, 0.1)]] {
            let svg = panel(SeriesShape::Line, points);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
