use super::NoInterval;

/// Shares are sums of 1/n: they come out as a round level only up to rounding.
const ROUNDING: f64 = 1e-9;

/// Scores of all folds in their order, each fold with the same weight, however many scores it has.
pub(super) struct Ranked<'a> {
    folds: &'a [Vec<f64>],
    /// (score, summed weight up to and with it).
    reached: Vec<(f64, f64)>,
    /// Folds that have scores.
    count: usize,
}

impl<'a> Ranked<'a> {
    /// Of scores ascending within each fold.
    pub(super) fn new(folds: &'a [Vec<f64>]) -> Self {
        let weighed =
            |fold: &'a Vec<f64>| fold.iter().map(|&score| (score, 1.0 / fold.len() as f64));
        let mut reached: Vec<(f64, f64)> = folds.iter().flat_map(weighed).collect();
        reached.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sum = 0.0;
        for (_, weight) in &mut reached {
            sum += *weight;
            *weight = sum;
        }
        // Of equal scores the last has the weight of all.
        reached.dedup_by(|later, kept| {
            let equal = later.0.total_cmp(&kept.0).is_eq();
            if equal {
                kept.1 = later.1;
            }
            equal
        });
        let count = folds.iter().filter(|fold| !fold.is_empty()).count();
        Self {
            folds,
            reached,
            count,
        }
    }

    /// The least score such that a new fold's row stays at or below it with probability `level` or more,
    /// by the other folds than `without`.
    ///
    /// With K folds, fold k having n_k scores, it is the `level` quantile of their distribution with
    /// weights 1 ÷ ((K + 1) · n_k), the new fold's own 1 ÷ (K + 1) lying at infinity: rows of one kernel
    /// are alike, so a kernel counts as one, and folds, not rows, are exchangeable (Lee, Barber, Willett,
    /// "Distribution-free inference with hierarchical data", 2023; after Dunn, Wasserman, Ramdas, 2023).
    pub(super) fn bound(&self, level: f64, without: Option<usize>) -> Result<f64, NoInterval> {
        if !(level > 0.0 && level < 1.0) {
            return Err(NoInterval::Level { level });
        }
        let own = without.map_or(&[][..], |fold| &self.folds[fold]);
        let folds = self.count - usize::from(!own.is_empty());
        let share = level * (folds as f64 + 1.0) - ROUNDING;
        if folds == 0 || share > folds as f64 {
            let needed = (level / (1.0 - level) - ROUNDING).ceil().max(1.0);
            return Err(NoInterval::TooFewFolds {
                folds,
                needed,
                level,
            });
        }
        let own_share =
            |score: f64| own.partition_point(|&it| it <= score) as f64 / own.len().max(1) as f64;
        let at = self
            .reached
            .partition_point(|&(score, reached)| reached - own_share(score) < share);
        // Rounding can leave the last sum a little below the share.
        let score = self.reached[at.min(self.reached.len() - 1)].0;
        match score.is_finite() {
            true => Ok(score),
            false => Err(NoInterval::NoTimes { level }),
        }
    }
}
