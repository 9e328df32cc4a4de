//! Which numbers are sizes, and how a launch is laid out by them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use super::{TracedArgument, TracedLaunch};
use crate::{
    accesses::{Accesses, Atom, AtomId, Condition, Id, Polynomial, launch::Geometry},
    ast::{Kind, Scalar, Space, Type},
};

/// Sizes of a launch file: whole numbers that the kernel is passed, and what no argument says.
pub(super) struct Sizes {
    /// Names by parameter.
    names: BTreeMap<usize, String>,
    /// By dimension the name of the size that its work-items are as many as.
    extents: Vec<String>,
    /// Work-group sizes, where the kernel is written for some.
    local: Option<Vec<i64>>,
    /// Whether the source says so.
    is_required: bool,
    /// Sizes that are no extent: how far loops go, and what is not understood.
    others: Vec<String>,
    /// Bytes of each parameter's whole number.
    bytes: Vec<Option<u8>>,
    /// Values of a launch that was traced; empty where none was.
    values: BTreeMap<String, i64>,
    /// Bytes that it passed by parameter, where they are no size.
    constants: BTreeMap<usize, Vec<u8>>,
}

/// Launches that are tried.
pub(super) const TRIALS: usize = 4;

/// Values of sizes in these launches, where those of work-items are so many work-groups: none follows from another by the
/// same sum or factor in each.
const VALUES: [[i64; TRIALS]; 6] = [
    [5, 7, 13, 19],
    [11, 3, 17, 8],
    [4, 23, 9, 14],
    [29, 6, 10, 25],
    [12, 31, 21, 16],
    [37, 18, 15, 41],
];

impl Sizes {
    /// `required`: the work-group's size that the source says. A traced launch says it, and the values, itself.
    pub(super) fn new(
        accesses: &Accesses,
        parameters: &[(&str, &Type)],
        required: Option<[i64; 3]>,
        traced: Option<&TracedLaunch>,
    ) -> Self {
        let bytes: Vec<Option<u8>> = parameters.iter().map(|it| whole(it.1)).collect();
        let mut names = BTreeMap::new();
        for (place, (name, _)) in parameters.iter().enumerate() {
            if bytes[place].is_some() {
                let is_taken = ["i", "on", "round"].contains(name);
                let name = if is_taken {
                    format!("size_{name}")
                } else {
                    (*name).to_owned()
                };
                names.insert(place, name);
            }
        }
        let mut constants = BTreeMap::new();
        let mut values = BTreeMap::new();
        for (place, argument) in traced.iter().flat_map(|it| it.arguments.iter().enumerate()) {
            let of = parameters.get(place).and_then(|it| it.1.scalar());
            match (
                names.get(&place),
                of.and_then(|it| argument.size(it)),
                argument,
            ) {
                (Some(name), Some(size), _) => _ = values.insert(name.clone(), size),
                (Some(_), None, TracedArgument::Value(bytes)) => {
                    names.remove(&place);
                    constants.insert(place, bytes.clone());
                }
                _ => {}
            }
        }
        // What is more than 1 in a dimension has ids there.
        let of_groups = required.map_or(1, |it| it.iter().rposition(|it| *it > 1).unwrap_or(0) + 1);
        let dimensions = match traced {
            Some(launch) => launch.global.len(),
            None => dimensions(accesses).max(of_groups),
        };
        let found = extents(accesses, dimensions);
        let mut extents: Vec<String> = Vec::new();
        for (dimension, parameter) in found.into_iter().enumerate() {
            let name = parameter.and_then(|it| names.get(&it).cloned());
            let items = traced.map(|it| it.global[dimension]);
            let name = name.filter(|it| items.is_none() || values.get(it).copied() == items);
            let name = name.unwrap_or_else(|| free(["n", "m", "l"][dimension], &names));
            if let Some(items) = items {
                values.insert(name.clone(), items);
            }
            extents.push(name);
        }
        let others = names.values().filter(|it| !extents.contains(it)).cloned();
        Self {
            others: others.collect(),
            is_required: required.is_some() || traced.is_some(),
            local: match (traced, required) {
                (Some(launch), _) => launch.local.clone(),
                (None, Some(sizes)) => Some(sizes[..dimensions].to_vec()),
                (None, None) => local(accesses, dimensions),
            },
            values,
            constants,
            names,
            extents,
            bytes,
        }
    }

    /// What a parameter is called among the sizes.
    pub(super) fn name(&self, parameter: usize) -> Option<&str> {
        self.names.get(&parameter).map(String::as_str)
    }

    /// All of them, extents first.
    pub(super) fn all(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self
            .extents
            .iter()
            .chain(&self.others)
            .map(|it| &**it)
            .collect();
        let mut seen = BTreeSet::new();
        all.retain(|it| seen.insert(*it));
        all
    }

    /// Work-items, as an expression.
    pub(super) fn items(&self) -> String {
        self.extents.join(" * ")
    }

    /// Width and height of an image.
    pub(super) fn picture(&self) -> [&str; 2] {
        let last = self.extents.last().map_or("n", |it| it);
        [self.extents.first().map_or("n", |it| it), last]
    }

    /// Values of [`all`](Self::all) in the traced launch.
    pub(super) fn traced(&self) -> Option<Vec<i64>> {
        self.all()
            .iter()
            .map(|it| self.values.get(*it).copied())
            .collect()
    }

    /// Work-items of the traced launch.
    pub(super) fn traced_items(&self) -> Option<i64> {
        self.extents.iter().map(|it| self.values.get(it)).product()
    }

    /// A small size and a large one, or the traced one.
    pub(super) fn tables(&self) -> String {
        if let Some(values) = self.traced() {
            let all = self.all().into_iter().zip(values);
            let lines: String = all
                .map(|(name, value)| format!("{name} = {value}\n"))
                .collect();
            return format!("[[sizes]]\n{lines}");
        }
        let large = match self.extents.len() {
            1 => 1 << 20,
            2 => 1024,
            _ => 128,
        };
        let mut text = String::new();
        for extent in [large / 4, large] {
            text += "[[sizes]]\n";
            for name in self.all() {
                let value = if self.extents.iter().any(|it| it == name) {
                    extent
                } else {
                    16
                };
                let _ = writeln!(text, "{name} = {value}  # guess");
            }
        }
        text
    }

    /// `global`, and `local` where the kernel is written for work-groups.
    pub(super) fn geometry(&self) -> String {
        let quoted = |of: &[String]| {
            let quoted: Vec<String> = of.iter().map(|it| format!("\"{it}\"")).collect();
            quoted.join(", ")
        };
        let guess = if self.values.is_empty() {
            "  # guess"
        } else {
            ""
        };
        let mut text = format!("global = [{}]{guess}\n", quoted(&self.extents));
        if let Some(local) = &self.local {
            let local: Vec<String> = local.iter().map(ToString::to_string).collect();
            let guess = if self.is_required { "" } else { "  # guess" };
            let _ = writeln!(text, "local = [{}]{guess}", local.join(", "));
        }
        text
    }

    /// A launch to try, and the values of [`all`](Self::all).
    pub(super) fn trial(&self, trial: usize) -> (Geometry, Vec<i64>) {
        let local = self.local.clone().unwrap_or_default();
        let local: [i64; 3] = [0, 1, 2].map(|it| local.get(it).copied().unwrap_or(1));
        let group = local.iter().copied().max().unwrap_or(1).max(8);
        let all = self.all();
        let values = all.iter().enumerate().map(|(place, name)| {
            let value = VALUES[place % VALUES.len()][trial];
            match self.extents.iter().any(|it| it == name) {
                true => group * value,
                false => value,
            }
        });
        let values: Vec<i64> = values.collect();
        let value = |name: &str| {
            let place = self.all().iter().position(|it| *it == name);
            place.map_or(1, |it| values[it])
        };
        let mut global = [1; 3];
        for (size, name) in global.iter_mut().zip(&self.extents) {
            *size = value(name);
        }
        let scalar = |(place, bytes): (usize, &Option<u8>)| {
            if let Some(bytes) = self.constants.get(&place) {
                return Some(bytes.clone());
            }
            let value = value(self.names.get(&place)?);
            Some(value.to_le_bytes()[..usize::from((*bytes)?)].to_vec())
        };
        let geometry = Geometry {
            global,
            local,
            dimensions: i64::try_from(self.extents.len()).unwrap_or(3),
            scalars: self.bytes.iter().enumerate().map(scalar).collect(),
        };
        (geometry, values)
    }
}

/// Bytes of a whole number that is passed by value and may hold a size.
fn whole(of: &Type) -> Option<u8> {
    match of {
        Type::Scalar(Scalar {
            kind: Kind::Signed | Kind::Unsigned,
            bytes: bytes @ (4 | 8),
        }) => Some(*bytes),
        _ => None,
    }
}

/// A name that no size has.
fn free(name: &str, names: &BTreeMap<usize, String>) -> String {
    match names.values().any(|it| it == name) {
        true => free(&format!("items_{name}"), names),
        false => name.to_owned(),
    }
}

fn ids(accesses: &Accesses) -> impl Iterator<Item = (Id, u8)> {
    let atoms = (0..accesses.atoms.len()).map(|it| accesses.atoms.get(AtomId::from(it)));
    atoms.filter_map(|it| match it {
        Atom::Id(id, dimension) => Some((*id, *dimension)),
        _ => None,
    })
}

/// Dimensions whose ids the kernel asks for, at least one.
fn dimensions(accesses: &Accesses) -> usize {
    let asked = ids(accesses).filter(|it| it.0 != Id::Dimensions);
    asked
        .map(|it| usize::from(it.1) + 1)
        .max()
        .unwrap_or(1)
        .min(3)
}

/// By dimension the parameter that its work-items are as many as: what an id is compared with, or what the next
/// dimension's is multiplied by.
fn extents(accesses: &Accesses, dimensions: usize) -> Vec<Option<usize>> {
    let mut found = vec![None; dimensions];
    let guards = accesses.accesses.iter().flat_map(|it| &it.guards);
    for guard in guards {
        let mut polynomials = Vec::new();
        parts(&guard.condition, &mut polynomials);
        for polynomial in polynomials {
            let ids = ids_in(accesses, polynomial.atoms().iter());
            if let ([dimension], [parameter]) = (
                &ids[..],
                &scalars_in(accesses, polynomial.atoms().iter())[..],
            ) && let Some(extent @ None) = found.get_mut(*dimension)
            {
                *extent = Some(*parameter);
            }
        }
    }
    let terms = accesses.accesses.iter().flat_map(|it| it.index.terms());
    for (factors, _) in terms {
        let ids = ids_in(accesses, factors.iter());
        let scalars = scalars_in(accesses, factors.iter());
        if let ([dimension @ (1..)], [first, ..]) = (&ids[..], &scalars[..])
            && let Some(extent @ None) = found.get_mut(dimension - 1)
        {
            *extent = Some(*first);
        }
    }
    found
}

fn parts<'c>(condition: &'c Condition, into: &mut Vec<&'c Polynomial>) {
    match condition {
        Condition::AtLeastZero(it) | Condition::Zero(it) | Condition::NotZero(it) => into.push(it),
        Condition::All(all) | Condition::Any(all) => all.iter().for_each(|it| parts(it, into)),
        Condition::Opaque(_) => {}
    }
}

/// Dimensions of work-items' and work-groups' ids among atoms, each once.
fn ids_in<'a>(accesses: &Accesses, atoms: impl Iterator<Item = &'a AtomId>) -> Vec<usize> {
    let ids = atoms.filter_map(|it| match accesses.atoms.get(*it) {
        Atom::Id(Id::Global | Id::Group | Id::Local, dimension) => Some(usize::from(*dimension)),
        _ => None,
    });
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Parameters that are passed by value among atoms.
fn scalars_in<'a>(accesses: &Accesses, atoms: impl Iterator<Item = &'a AtomId>) -> Vec<usize> {
    let scalars = atoms.filter_map(|it| match accesses.atoms.get(*it) {
        Atom::Scalar(parameter, ..) => Some(*parameter),
        _ => None,
    });
    scalars.collect()
}

/// The work-group's size of a kernel that is written for work-groups: as large as its local arrays, or as usual.
fn local(accesses: &Accesses, dimensions: usize) -> Option<Vec<i64>> {
    let is_local = |it: &&crate::accesses::Array| it.space == Space::Local;
    let asks =
        ids(accesses).any(|it| matches!(it.0, Id::Local | Id::Group | Id::LocalSize | Id::Groups));
    let arrays = || accesses.arrays.iter().filter(is_local);
    if !asks && accesses.barriers.is_empty() && arrays().next().is_none() {
        return None;
    }
    let usual = match dimensions {
        1 => vec![256],
        2 => vec![16, 16],
        _ => vec![8, 8, 4],
    };
    // A tile of work-items: its inner length may have one element more, against bank conflicts.
    let tile = arrays().find(|it| it.lengths.len() == dimensions);
    let tile = tile.map(|it| {
        let lengths = it.lengths.iter().rev();
        lengths
            .map(|it| 1_i64 << it.max(&1).ilog2())
            .collect::<Vec<i64>>()
    });
    Some(
        tile.filter(|it| it.iter().product::<i64>() <= 1024)
            .unwrap_or(usual),
    )
}
