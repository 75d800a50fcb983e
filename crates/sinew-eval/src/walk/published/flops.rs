//! What an iteration costs: Tables 1.1 and 1.2, counted on the code that runs.

use super::arithmetic::{Counted, Number, fault, halved, inverse3, inverse6, pseudo, square, stepped, times};
use crate::table::Table;

/// `a n + b m + c` operations for `n` angles and `m` halvings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    n: i64,
    m: i64,
    one: i64,
}

impl Cost {
    /// From what is counted for some angles.
    fn of(count: impl Fn(usize) -> i64) -> Self {
        let (few, more) = (count(8), count(9));
        let n = more - few;
        Self { n, m: 0, one: few - 8 * n }
    }

    fn fixed(one: i64) -> Self {
        Self { n: 0, m: 0, one }
    }

    fn plus(self, other: Self) -> Self {
        Self { n: self.n + other.n, m: self.m + other.m, one: self.one + other.one }
    }
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut begun = false;
        for (count, unit) in [(self.n, "n"), (self.m, "m"), (self.one, "")] {
            if count == 0 {
                continue;
            }
            let sign = match (begun, count < 0) {
                (false, false) => "",
                (false, true) => "−",
                (true, false) => " + ",
                (true, true) => " − ",
            };
            write!(f, "{sign}{}{unit}", count.abs())?;
            begun = true;
        }
        if begun { Ok(()) } else { f.write_str("0") }
    }
}

/// The stages of an iteration with a Jacobian of `M` rows.
struct Stages {
    square: Cost,
    inverse: Cost,
    pseudo: Cost,
    increment: Cost,
    check: Cost,
    reduce: Cost,
    update: Cost,
}

fn stages<const M: usize>(invert: fn(&[[Counted; M]; M]) -> [[Counted; M]; M]) -> Stages {
    let columns = |n: usize| {
        let entry = |i: usize, r: usize| Counted::of((i as f32 * 1.3 + r as f32 * 0.7).sin());
        (0..n).map(|i| std::array::from_fn(|r| entry(i, r))).collect::<Vec<[Counted; M]>>()
    };
    let small = square(&columns(9));
    let vector = [Counted::of(0.1); M];
    let apply = || times(&small, &vector);
    let applied = Counted::count(apply);
    Stages {
        square: Cost::of(|n| Counted::count(|| square(&columns(n)))),
        inverse: Cost::fixed(Counted::count(|| invert(&small))),
        pseudo: Cost::of(|n| {
            Counted::count(|| {
                let j = columns(n);
                let mut out = j.clone();
                pseudo(&j, &small, &mut out);
                out
            })
        }),
        increment: Cost::fixed(Counted::count(|| vector.map(|x| x - Counted::of(0.2)))),
        check: Cost::of(|n| Counted::count(|| fault(&columns(n), &columns(n))) + applied),
        reduce: Cost { n: 0, m: Counted::count(|| halved(&vector)) + applied, one: 0 },
        update: Cost::of(|n| {
            let j = columns(n);
            Counted::count(|| j.iter().for_each(|p| _ = stepped(vector[0], p, &vector)))
        }),
    }
}

/// What the paper has for the columns of the Jacobian and for forward kinematics, which hang on how a
/// character is stored.
const JACOBIAN: Cost = Cost { n: 0, m: 0, one: 162 };
const FORWARD: Cost = Cost { n: 38, m: 0, one: 0 };

/// Both tables.
pub fn tables() -> [Table; 2] {
    let both = [stages::<3>(inverse3), stages::<6>(inverse6)];
    let columns = ["what", "3 rows", "paper", "6 rows", "paper"];
    let mut first = Table::new("Operations of a pseudo-inverse, counted (Table 1.1)", &columns);
    let mut second = Table::new("Operations of an iteration, counted (Table 1.2)", &columns);
    let row = |table: &mut Table, what: &str, own: [Cost; 2], paper: [&str; 2]| {
        let [three, six] = own.map(|cost| cost.to_string());
        table.row(vec![what.into(), three.into(), paper[0].into(), six.into(), paper[1].into()]);
    };
    let each = |of: fn(&Stages) -> Cost| [of(&both[0]), of(&both[1])];
    row(&mut first, "A = J Jᵀ", each(|s| s.square), ["18n − 9", "72n − 36"]);
    row(&mut first, "B = A⁻¹", each(|s| s.inverse), ["51", "619"]);
    row(&mut first, "Jᵀ B", each(|s| s.pseudo), ["15n", "33n"]);
    let whole = each(|s| s.square.plus(s.inverse).plus(s.pseudo));
    row(&mut first, "together", whole, ["33n + 42", "105n + 583"]);
    first.note(
        "n angles; Jᵀ B has n × 6 entries of six products and five sums each: 66n, of which the paper has half",
    );
    row(&mut second, "1. increment", each(|s| s.increment), ["3", "6"]);
    row(&mut second, "2. Jacobian (the paper's count)", [JACOBIAN; 2], ["162", "162"]);
    row(&mut second, "3. pseudo-inverse", whole, ["33n + 42", "105n + 583"]);
    row(&mut second, "4. check", each(|s| s.check), ["18n + 15", "72n + 66"]);
    row(&mut second, "5. reduce dX", each(|s| s.reduce), ["18m", "72m"]);
    row(&mut second, "6. update", each(|s| s.update), ["6n", "12n"]);
    row(&mut second, "7. new place (the paper's count)", [FORWARD; 2], ["38n", "38n"]);
    let sum = |s: &Stages| {
        let own = [s.increment, s.square, s.inverse, s.pseudo, s.check, s.reduce, s.update];
        own.into_iter().fold(JACOBIAN.plus(FORWARD), Cost::plus)
    };
    let sums = [sum(&both[0]), sum(&both[1])];
    row(&mut second, "together", sums, ["95n + 18m + 252", "227n + 72m + 817"]);
    second.note(format!(
        "m halvings; for long chains six rows cost {:.3} times three, in the paper 2.389; its own rows for three sum \
         to 95n + 18m + 222; the norm of step 4 is left out, as in the paper",
        sums[1].n as f64 / sums[0].n as f64
    ));
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_are_the_papers_but_for_its_two_slips() {
        let [first, second] = tables();
        for row in first.rows.iter().chain(&second.rows) {
            let words: Vec<String> = row.iter().map(ToString::to_string).collect();
            let [what, three, paper3, six, paper6] = &words[..] else { panic!("{words:?}") };
            let slip = ["Jᵀ B", "together", "3. pseudo-inverse"].contains(&what.as_str());
            assert!(three == paper3 || what == "together", "{what}: {three}, {paper3}");
            assert!(six == paper6 || slip, "{what}: {six}, {paper6}");
        }
        assert_eq!(second.rows[7][3].to_string(), "260n + 72m + 817");
        assert_eq!(second.rows[7][1].to_string(), "95n + 18m + 222");
    }
}
