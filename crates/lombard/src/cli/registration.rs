//! `lombard tpp register`: registers a TPP of the sandbox over HTTP, as the TPP itself would.

use super::error::CommandError;
use super::installation::InstallationArguments;
use crate::entropy::SystemEntropy;
use crate::output::print_line;
use clap::Args;
use http::StatusCode;
use lombard_domain::ids::ClientId;
use lombard_ops::OperationError;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::{Tpp, write_client_id};
use std::sync::Arc;

#[derive(Debug, Args)]
pub(super) struct TppRegister {
    /// The name of its folder.
    name: String,
    /// Register a TPP once more that has a client id, as another client, whose id its folder has from then on.
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    installation: InstallationArguments,
}

pub(super) async fn register(TppRegister { name, again, installation }: TppRegister) -> Result<(), CommandError> {
    let data = installation.load()?.data_dir;
    let clocks = Clocks::system();
    let ids = IdGenerator::new(Arc::new(SystemEntropy), clocks.clone());
    let tpp = Tpp::open_unregistered(&data, &name, clocks, ids, None)?;
    if !tpp.client_id().as_str().is_empty() && !again {
        let message = format!(
            "{name} is registered as client {}; lombard tpp register {name} --again registers another client",
            tpp.client_id()
        );
        return Err(OperationError::Refused(message).into());
    }
    let request = tpp.registration_request().await?.sign(&tpp.folder.signing)?;
    let client =
        ClientId::new(tpp.register(&request).await?.expect_status(StatusCode::CREATED)?.text_at("/client_id")?);
    write_client_id(&data.join("tpps").join(&name), Some(&client))?;
    print_line(&format!("Client {client}"));
    Ok(())
}
