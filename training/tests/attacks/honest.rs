//! What a lab uploads that lies about nothing.

use super::{
    attack::{Attack, Dice},
    data::Measured,
};

/// The honest upload of this number: what is known measured again, with other times as honest runs have, or some
/// of what is not known yet: single workloads, or all of some kernels.
pub(crate) fn honest(number: u64, known: &[Measured], further: &[Measured]) -> Attack {
    let mut dice = Dice::new(number);
    let n = dice.one_of(&[1, 3, 10, 30]);
    let (kind, samples) = match number % 3 {
        0 => {
            let mut again = known.to_vec();
            for it in &mut again {
                it.median_s *= dice.factor(1.05);
            }
            ("again".to_owned(), again)
        }
        1 => {
            let some = dice.some(further, n).into_iter().cloned().collect();
            (format!("{n} further workloads"), some)
        }
        _ => {
            let kernels = dice.some(further, n);
            let of_kernels = further.iter().filter(|it| {
                let mut kernels = kernels.iter();
                kernels.any(|kernel| kernel.kernel == it.kernel)
            });
            let most = format!("up to {n} further kernels");
            (most, of_kernels.cloned().collect())
        }
    };
    Attack {
        kind,
        uploads: vec![samples],
    }
}
