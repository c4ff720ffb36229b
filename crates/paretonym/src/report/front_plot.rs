//! The plots of a front: the one that stands alone, and those of the page.

use super::escape::text;
use super::legend::legend_html;
use super::picture::Picture;
use super::plot::Frame;
use crate::front::FrontFile;
use crate::view::View;

const WIDE: Frame = Frame { width: 860.0, height: 470.0, left: 72.0, right: 34.0, top: 58.0, bottom: 50.0 };
const SMALL: Frame = Frame { width: 430.0, height: 350.0, left: 70.0, right: 28.0, top: 14.0, bottom: 48.0 };

/// A picture of the front that stands alone: the first privacy objective against the first loss. It follows the
/// reader's light or dark setting.
pub fn front_svg(front: &FrontFile, title: &str, backdrops: &[(String, &FrontFile)]) -> String {
    let view = View::new(front);
    let picture = view.pairs.first().map(|pair| Picture::new(&view, backdrops, WIDE, *pair, true));
    let inside = picture.map_or(String::new(), |picture| picture.draw(&view.flat, false));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot alone\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\"><title>{}</title><style>{}</style><rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>{inside}</svg>\n",
        text(title),
        include_str!("plot.css"),
        w = WIDE.width,
        h = WIDE.height,
    )
}

/// The plots of a page: one of a front with two objectives, one for each pair otherwise.
pub(super) fn plots(view: &View, backdrops: &[(String, &FrontFile)]) -> String {
    if let [pair] = view.pairs.as_slice() {
        let picture = Picture::new(view, backdrops, WIDE, *pair, true);
        return format!("<div class=\"plots one\">{}</div>", picture.element(&view.flat));
    }
    let pictures = view.pairs.iter().map(|pair| Picture::new(view, backdrops, SMALL, *pair, false).element(&[]));
    let pictures: String = pictures.collect();
    format!("{}<div class=\"plots many\">{pictures}</div>", legend_html(&view.shades, backdrops))
}

#[cfg(test)]
mod tests {
    use super::super::picture::ALL_DRAWN;
    use super::*;
    use crate::view::testing::front_of;

    #[test]
    fn a_point_for_each_solution_until_there_are_too_many() {
        let marks = |count: u64| {
            let points: Vec<(u64, f64)> = (1..=count).rev().map(|k| (k, k as f64 / count as f64)).collect();
            front_svg(&front_of(&points), "t", &[]).matches("data-i=").count()
        };
        assert_eq!(marks(1), 1);
        assert_eq!(marks(50), 50);
        assert!((100..ALL_DRAWN).contains(&marks(9_000)));
        assert_eq!(marks(0), 0);
    }
}
