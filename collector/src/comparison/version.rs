//! The two versions of a kernel that are compared.

use std::{collections::BTreeSet, path::Path};

use anyhow::{Context, Result};
use kerncast_suite::Kernel;
use kerncast_wire::words::did_you_mean;

use crate::{UsageError, kernels::Finder};

/// One of the two versions: a kernel, and the variant where one is named.
pub(super) struct Version {
    pub(super) kernel: Kernel,
    variant: Option<String>,
}

impl Version {
    /// The version that `wish` names: a folder or a kernel of the suite, and with `:NAME` a variant of it.
    pub(super) fn find(finder: &mut Finder, wish: &str) -> Result<Self> {
        let (name, variant) = match wish.rsplit_once(':') {
            Some((name, variant)) if !Path::new(wish).exists() => (name, Some(variant)),
            _ => (wish, None),
        };
        let mut kernels = finder.find(name)?;
        let kernel = kernels.pop();
        let kernel = kernel.with_context(|| format!("{name}: there is no kernel"))?;
        if !kernels.is_empty() {
            let problem = format!("{name} has several kernels; expected the folder of one");
            return Err(UsageError(problem).into());
        }
        let version = Self {
            kernel,
            variant: variant.map(str::to_owned),
        };
        match variant.filter(|it| !version.variant_names().contains(it)) {
            None => Ok(version),
            Some(variant) => Err(UsageError(format!(
                "{wish}: {name} has no variant `{variant}`{}; it has {}",
                did_you_mean(variant, version.variant_names()),
                Vec::from_iter(version.variant_names()).join(", ")
            ))
            .into()),
        }
    }

    fn first_variant(&self) -> String {
        self.kernel.reference().name.clone()
    }

    fn variant_names(&self) -> BTreeSet<&str> {
        self.kernel.variants.iter().map(|it| &*it.name).collect()
    }

    /// Pairs of variants to compare. If one side names a variant, the other side has the variant of the same name, else
    /// its first. If neither does, all variants that both have, else the first of each.
    pub(super) fn variant_pairs(&self, other: &Self) -> Vec<(String, String)> {
        if let Some(name) = self.variant.as_ref().or(other.variant.as_ref()) {
            return vec![(self.variant_or(name), other.variant_or(name))];
        }
        let [own, others] = [self, other].map(Self::variant_names);
        let common = own.intersection(&others).copied();
        let pairs: Vec<_> = common.map(|it| (it.to_owned(), it.to_owned())).collect();
        if pairs.is_empty() {
            return vec![(self.first_variant(), other.first_variant())];
        }
        pairs
    }

    /// The variant that the user named, else the one called `name`, else the first.
    fn variant_or(&self, name: &str) -> String {
        match &self.variant {
            Some(variant) => variant.clone(),
            None if self.variant_names().contains(name) => name.to_owned(),
            None => self.first_variant(),
        }
    }

    /// Refuses versions whose launch files name different sizes.
    pub(super) fn check_sizes(&self, other: &Self) -> Result<(), UsageError> {
        let names =
            |it: &Self| -> Vec<String> { it.kernel.sizes[0].parameters.keys().cloned().collect() };
        let [own, others] = [names(self), names(other)];
        if own == others {
            return Ok(());
        }
        Err(UsageError(format!(
            "OLD has the sizes {}, NEW has {}; expected the same names in both launch files",
            own.join(", "),
            others.join(", ")
        )))
    }
}
