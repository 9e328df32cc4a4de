//! Sizes of a launch, and its geometry by them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use super::{TracedArgument, TracedLaunch};
use crate::{
    accesses::{Accesses, Atom, AtomId, Condition, Id, Polynomial, launch::Geometry},
    ast::{Kind, Scalar, Space, Type},
};

/// Sizes of a launch file: whole numbers that are passed to the kernel, and work-items that no argument counts.
#[derive(Default)]
pub(super) struct Sizes {
    names: BTreeMap<usize, String>,
    /// The name of the size that counts each dimension's work-items.
    extents: Vec<String>,
    /// The work-group's size, if the kernel is written for one.
    local: Option<Vec<i64>>,
    /// Whether the work-group's size is required, and no guess.
    is_required: bool,
    /// The other sizes, such as bounds of loops.
    others: Vec<String>,
    /// Bytes of each parameter that may be a size.
    bytes: Vec<Option<u8>>,
    /// Values in a traced launch, by name; empty if there is none.
    values: BTreeMap<String, i64>,
    /// Bytes that the traced launch passed for other whole numbers, by the parameter's place.
    constants: BTreeMap<usize, Vec<u8>>,
}

pub(super) const TRIALS: usize = 4;

/// Values of sizes in the launches that are tried; those that count work-items are multiplied by a work-group's size.
/// No row follows from another by the same sum or factor in each launch.
const TRIAL_VALUES: [[i64; TRIALS]; 6] = [
    [5, 7, 13, 19],
    [11, 3, 17, 8],
    [4, 23, 9, 14],
    [29, 6, 10, 25],
    [12, 31, 21, 16],
    [37, 18, 15, 41],
];

impl Sizes {
    /// Finds the sizes of a kernel. `required`: the work-group size that the source requires. A traced launch tells
    /// sizes and values itself.
    pub(super) fn new(
        accesses: &Accesses,
        parameters: &[(&str, &Type)],
        required: Option<[i64; 3]>,
        traced: Option<&TracedLaunch>,
    ) -> Self {
        let bytes: Vec<Option<u8>> = parameters.iter().map(|it| bytes_of_size(it.1)).collect();
        let mut sizes = Self {
            names: names(parameters, &bytes),
            is_required: required.is_some() || traced.is_some(),
            bytes,
            ..Self::default()
        };
        if let Some(traced) = traced {
            sizes.set_values(parameters, traced);
        }
        // A dimension with more than one work-item in a work-group has ids.
        let of_groups = required.map_or(1, |it| it.iter().rposition(|it| *it > 1).unwrap_or(0) + 1);
        let dimensions = match traced {
            Some(launch) => launch.global.len(),
            None => dimensions(accesses).max(of_groups),
        };
        sizes.local = match (traced, required) {
            (Some(launch), _) => launch.local.clone(),
            (None, Some(local)) => Some(local[..dimensions].to_vec()),
            (None, None) => guess_local(accesses, dimensions),
        };
        sizes.set_extents(accesses, dimensions, traced);
        let others = sizes.names.values();
        let others = others.filter(|it| !sizes.extents.contains(it)).cloned();
        sizes.others = others.collect();
        sizes
    }

    /// Takes the values that a traced launch passed. A number that can't be a size there is no size from here on.
    fn set_values(&mut self, parameters: &[(&str, &Type)], traced: &TracedLaunch) {
        for (place, argument) in traced.arguments.iter().enumerate() {
            let Some(name) = self.names.get(&place) else {
                continue;
            };
            let scalar = parameters.get(place).and_then(|it| it.1.scalar());
            if let Some(size) = scalar.and_then(|it| argument.size(it)) {
                self.values.insert(name.clone(), size);
            } else if let TracedArgument::Value(bytes) = argument {
                self.names.remove(&place);
                self.constants.insert(place, bytes.clone());
            }
        }
    }

    /// Finds or makes the size of each dimension.
    fn set_extents(
        &mut self,
        accesses: &Accesses,
        dimensions: usize,
        traced: Option<&TracedLaunch>,
    ) {
        let parameters = extent_parameters(accesses, dimensions);
        for (dimension, parameter) in parameters.into_iter().enumerate() {
            let name = parameter.and_then(|it| self.names.get(&it).cloned());
            let items = traced.map(|it| it.global[dimension]);
            let name = name.filter(|it| items.is_none() || self.values.get(it).copied() == items);
            let name = name.unwrap_or_else(|| unused_name(["n", "m", "l"][dimension], &self.names));
            if let Some(items) = items {
                self.values.insert(name.clone(), items);
            }
            self.extents.push(name);
        }
    }

    pub(super) fn name(&self, parameter: usize) -> Option<&str> {
        self.names.get(&parameter).map(String::as_str)
    }

    /// Names of all sizes, extents first, each once.
    pub(super) fn all(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self
            .extents
            .iter()
            .chain(&self.others)
            .map(|it| &**it)
            .collect();
        let mut names = BTreeSet::new();
        all.retain(|it| names.insert(*it));
        all
    }

    /// The number of work-items as an expression.
    pub(super) fn items(&self) -> String {
        self.extents.join(" * ")
    }

    /// Guessed width and height of an image.
    pub(super) fn image(&self) -> [&str; 2] {
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

    pub(super) fn traced_items(&self) -> Option<i64> {
        self.extents.iter().map(|it| self.values.get(it)).product()
    }

    /// The tables `[[sizes]]`: a small and a large guess, or the sizes of the traced launch.
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

    /// The line `global`, and `local` if the kernel is written for a work-group size.
    pub(super) fn geometry(&self) -> String {
        let quoted = |names: &[String]| {
            let quoted: Vec<String> = names.iter().map(|it| format!("\"{it}\"")).collect();
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
            let value = TRIAL_VALUES[place % TRIAL_VALUES.len()][trial];
            let is_extent = self.extents.iter().any(|it| it == name);
            if is_extent { group * value } else { value }
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

/// Bytes of a type that may hold a size.
fn bytes_of_size(ty: &Type) -> Option<u8> {
    match ty {
        Type::Scalar(Scalar {
            kind: Kind::Signed | Kind::Unsigned,
            bytes: bytes @ (4 | 8),
        }) => Some(*bytes),
        _ => None,
    }
}

/// Names of the parameters that may be sizes. Those that expressions use themselves get another name.
fn names(parameters: &[(&str, &Type)], bytes: &[Option<u8>]) -> BTreeMap<usize, String> {
    let places = parameters.iter().zip(bytes).enumerate();
    let sizes = places.filter(|(_, (_, bytes))| bytes.is_some());
    let names = sizes.map(|(place, ((name, _), _))| {
        let name = match *name {
            "i" | "on" | "round" => format!("size_{name}"),
            name => name.to_owned(),
        };
        (place, name)
    });
    names.collect()
}

fn unused_name(name: &str, names: &BTreeMap<usize, String>) -> String {
    if names.values().any(|it| it == name) {
        return unused_name(&format!("items_{name}"), names);
    }
    name.to_owned()
}

fn ids(accesses: &Accesses) -> impl Iterator<Item = (Id, u8)> {
    let atoms = (0..accesses.atoms.len()).map(|it| accesses.atoms.get(AtomId::from(it)));
    atoms.filter_map(|it| match it {
        Atom::Id(id, dimension) => Some((*id, *dimension)),
        _ => None,
    })
}

/// The number of dimensions whose ids the kernel asks for, at least one.
fn dimensions(accesses: &Accesses) -> usize {
    let ids = ids(accesses).filter(|it| it.0 != Id::Dimensions);
    let dimensions = ids.map(|it| usize::from(it.1) + 1);
    dimensions.max().unwrap_or(1).min(3)
}

/// The parameter of each dimension that its id is compared with, or that the next dimension's id is multiplied by.
fn extent_parameters(accesses: &Accesses, dimensions: usize) -> Vec<Option<usize>> {
    let mut extents = vec![None; dimensions];
    let guards = accesses.accesses.iter().flat_map(|it| &it.guards);
    for guard in guards {
        let mut polynomials = Vec::new();
        add_polynomials(&guard.condition, &mut polynomials);
        for polynomial in polynomials {
            let ids = ids_in(accesses, polynomial.atoms().iter());
            if let ([dimension], [parameter]) = (
                &ids[..],
                &scalars_in(accesses, polynomial.atoms().iter())[..],
            ) && let Some(extent @ None) = extents.get_mut(*dimension)
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
            && let Some(extent @ None) = extents.get_mut(dimension - 1)
        {
            *extent = Some(*first);
        }
    }
    extents
}

fn add_polynomials<'c>(condition: &'c Condition, into: &mut Vec<&'c Polynomial>) {
    match condition {
        Condition::AtLeastZero(it) | Condition::Zero(it) | Condition::NotZero(it) => into.push(it),
        Condition::All(all) | Condition::Any(all) => {
            all.iter().for_each(|it| add_polynomials(it, into));
        }
        Condition::Opaque(_) => {}
    }
}

/// Dimensions of the work-item and work-group ids among atoms, each once.
fn ids_in<'a>(accesses: &Accesses, atoms: impl Iterator<Item = &'a AtomId>) -> Vec<usize> {
    let ids = atoms.filter_map(|it| match accesses.atoms.get(*it) {
        Atom::Id(Id::Global | Id::Group | Id::Local, dimension) => Some(usize::from(*dimension)),
        _ => None,
    });
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Places of the scalar parameters among atoms.
fn scalars_in<'a>(accesses: &Accesses, atoms: impl Iterator<Item = &'a AtomId>) -> Vec<usize> {
    let scalars = atoms.filter_map(|it| match accesses.atoms.get(*it) {
        Atom::Scalar(parameter, ..) => Some(*parameter),
        _ => None,
    });
    scalars.collect()
}

/// A work-group size for a kernel that is written for work-groups: as large as its local arrays, or a usual one.
fn guess_local(accesses: &Accesses, dimensions: usize) -> Option<Vec<i64>> {
    let is_local = |it: &&crate::accesses::Array| it.space == Space::Local;
    let asks_for_groups =
        ids(accesses).any(|it| matches!(it.0, Id::Local | Id::Group | Id::LocalSize | Id::Groups));
    let arrays = || accesses.arrays.iter().filter(is_local);
    if !asks_for_groups && accesses.barriers.is_empty() && arrays().next().is_none() {
        return None;
    }
    let usual = match dimensions {
        1 => vec![256],
        2 => vec![16, 16],
        _ => vec![8, 8, 4],
    };
    // A tile of work-items. Its inner length may have one element more, against bank conflicts.
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
