//! Scores in their order, each fold with the same weight, and the bound that they give.

use kerncast_wire::Warning;

/// Shares are sums of 1/n: they come out as a round level only up to rounding.
const ROUNDING: f64 = 1e-9;

/// Scores of all folds in their order, each fold with the same weight, however many scores it has.
pub(super) struct Ranked<'a> {
    folds: &'a [Vec<f64>],
    /// (score, fold), the least score first.
    scores: Vec<(f64, usize)>,
    /// Folds that have scores.
    count: usize,
}

impl<'a> Ranked<'a> {
    pub(super) fn new(folds: &'a [Vec<f64>]) -> Self {
        let numbered = folds.iter().enumerate();
        let mut scores: Vec<(f64, usize)> = numbered
            .flat_map(|(fold, scores)| scores.iter().map(move |&score| (score, fold)))
            .collect();
        scores.sort_by(|a, b| a.0.total_cmp(&b.0));
        let count = folds.iter().filter(|fold| !fold.is_empty()).count();
        Self {
            folds,
            scores,
            count,
        }
    }

    /// The score such that a new fold's row stays at or below it with probability `level`, by the other
    /// folds than `without`.
    ///
    /// Rows of one kernel are alike, so folds, not rows, are exchangeable, and each counts the same. To
    /// count the new fold as infinitely far off would be safe for any folds (Lee, Barber, Willett,
    /// "Distribution-free inference with hierarchical data", 2023), but of ten folds whose rows scatter 97 %
    /// of a new one's rows would lie within at 0.9. So each fold is asked in the new one's place, as in
    /// cross-conformal prediction (Vovk, "Cross-conformal predictors", 2015): a row's rank is the share of
    /// folds below it, its own counted as below as a whole; the bound is the first score above the rank
    /// that `level` of the rows do not exceed.
    pub(super) fn bound(&self, level: f64, without: Option<usize>) -> Result<f64, Warning> {
        if !(level > 0.0 && level < 1.0) {
            return Err(Warning::NoLevel { level });
        }
        let left_out = without.is_some_and(|fold| !self.folds[fold].is_empty());
        let folds = self.count - usize::from(left_out);
        if folds == 0 || level * (folds as f64 + 1.0) - ROUNDING > folds as f64 {
            let needed = (level / (1.0 - level) - ROUNDING).ceil().max(1.0);
            return Err(Warning::TooFewLeftOut {
                folds,
                needed,
                level,
            });
        }
        let others = self.scores.iter().copied();
        let others: Vec<_> = others.filter(|&(_, fold)| Some(fold) != without).collect();
        let rank = self.rank(&others, level * folds as f64);
        let mut reached = 0.0;
        let above = others.iter().find(|&&(_, fold)| {
            reached += self.weight(fold);
            reached > rank + ROUNDING
        });
        // No score is above the highest rank.
        let score = above.or(others.last()).map_or(f64::INFINITY, |it| it.0);
        if score.is_finite() {
            Ok(score)
        } else {
            Err(Warning::TooManyNoTimes { level })
        }
    }

    /// The rank that rows with the weight `share` (folds) do not exceed. A row's rank is the number of folds below it;
    /// `scores` are ascending.
    fn rank(&self, scores: &[(f64, usize)], share: f64) -> f64 {
        let mut below = vec![0.0; self.folds.len()];
        let mut all = 0.0;
        let mut ranks = Vec::with_capacity(scores.len());
        for equal in scores.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
            let rank = |&(_, fold): &(f64, usize)| (all - below[fold] + 1.0, self.weight(fold));
            ranks.extend(equal.iter().map(rank));
            for &(_, fold) in equal {
                below[fold] += self.weight(fold);
                all += self.weight(fold);
            }
        }
        ranks.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut reached = 0.0;
        let rank = ranks.iter().find(|&&(_, weight)| {
            reached += weight;
            reached >= share - ROUNDING
        });
        rank.or(ranks.last()).map_or(f64::INFINITY, |it| it.0)
    }

    /// The weight of a row of a fold: the rows of each fold add up to 1.
    fn weight(&self, fold: usize) -> f64 {
        1.0 / self.folds[fold].len() as f64
    }
}
