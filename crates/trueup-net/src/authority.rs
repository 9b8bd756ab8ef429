//! Certificates for what is spoken with the inside.
//!
//! Each proxy has an authority of its own, whose key never leaves this process.
//! Only the sandbox behind that proxy is told to believe it.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose};
use rustls::{
    ServerConfig,
    crypto::CryptoProvider,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Whom the inside believes.
pub(crate) struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    provider: Arc<CryptoProvider>,
    /// What was made for each host. There are no more than a person named.
    made: Mutex<BTreeMap<String, Arc<ServerConfig>>>,
}

/// Why no certificate could be made.
pub(crate) type Flaw = Box<dyn std::error::Error + Send + Sync>;

impl Authority {
    pub(crate) fn new(provider: Arc<CryptoProvider>) -> Result<Self, Flaw> {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        params
            .distinguished_name
            .push(DnType::CommonName, "trueup, for one sandbox");
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        Ok(Self {
            issuer,
            provider,
            made: Mutex::default(),
        })
    }

    /// What the inside has to be told to believe it.
    pub(crate) fn certificate(&self) -> String {
        self.issuer.pem()
    }

    /// How this host is spoken for.
    pub(crate) fn speaks_for(&self, host: &str) -> Result<Arc<ServerConfig>, Flaw> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(host) {
            return Ok(Arc::clone(known));
        }
        let key = KeyPair::generate()?;
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let mut params = CertificateParams::new(vec![bare.to_owned()])?;
        params.use_authority_key_identifier_extension = true;
        let signed = params.signed_by(&key, &self.issuer)?;
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::clone(&self.provider))
            .with_safe_default_protocol_versions()?
            .with_no_client_auth()
            .with_single_cert(vec![signed.der().clone()], key)?;
        let config = Arc::new(config);
        made.insert(host.to_owned(), Arc::clone(&config));
        Ok(config)
    }
}
