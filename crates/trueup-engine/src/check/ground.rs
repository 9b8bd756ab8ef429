//! What one check finds laid under its tree.

use crate::layer::{Cached, FolderPlace, Layer, Layers, Prepared};
use std::{collections::BTreeMap, path::PathBuf};
use trueup_core::{criterion::Check, digest::Digest, effect::Verify, ground::Warmth};

/// What one check finds laid under its tree.
pub(super) enum Ground {
    /// This.
    Laid(LaidLayers),
    /// Nothing, because a preparation gave nothing; why, in a sentence.
    Not(String),
}

/// What is laid under one tree for one check.
pub(super) struct LaidLayers {
    layers: Vec<Layer>,
    pub(super) cached: Cached,
}

impl Ground {
    pub(super) fn of(layers: &Layers, wish: &Verify, check: &Check, prepared: &Prepared) -> Self {
        match (prepared, check.execution()) {
            (Prepared::Not(why), Some(_)) => Self::Not(why.clone()),
            (Prepared::Ready(ready), Some(execution)) => Self::Laid(LaidLayers {
                cached: layers.cached(wish, check, execution, ready),
                layers: ready.clone(),
            }),
            (_, None) => Self::Laid(LaidLayers {
                layers: Vec::new(),
                cached: Cached::Nothing,
            }),
        }
    }

    pub(super) fn layers(&self) -> BTreeMap<String, Digest> {
        match self {
            Self::Not(_) => BTreeMap::new(),
            Self::Laid(laid) => {
                let layers = laid.layers.iter();
                layers.map(|layer| (layer.name.clone(), layer.key.clone())).collect()
            }
        }
    }

    pub(super) const fn warmth(&self) -> Warmth {
        match self {
            Self::Not(_) => Warmth::Cold,
            Self::Laid(laid) => laid.cached.warmth(),
        }
    }
}

impl LaidLayers {
    /// Every folder that is laid into the room.
    pub(super) fn folders(&self) -> Vec<(PathBuf, FolderPlace)> {
        let mut folders: Vec<(PathBuf, FolderPlace)> =
            self.layers.iter().flat_map(|layer| layer.folders.clone()).collect();
        if let Cached::Use(cached) = &self.cached {
            folders.extend(cached.clone());
        }
        folders
    }
}
