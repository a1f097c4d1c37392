//! The sockets that listeners accept connections from: TCP, or a Unix socket for a proxy on the same machine.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream as BlockingUnixStream;
use std::path::{Path, PathBuf};
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixStream};

/// What the system keeps of answers that were written and not read, bytes for each connection (Linux doubles it). Unset
/// it grows to megabytes, and a slow reader is seen to make progress only once in many.
const SEND_BUFFER_BYTES: u32 = 128 * 1024;

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// How many ports that are free at one loopback address are tried at the other.
const PORTS_TRIED: usize = 16;

/// The owner and the group of a Unix socket may connect.
const UNIX_MODE: u32 = 0o660;

/// The bit of a folder's mode with which everybody may rename files in it.
const OTHERS_MAY_WRITE: u32 = 0o002;

/// The address of whoever connects to a Unix socket, which has none.
pub(super) const UNIX_PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// A bound socket.
#[derive(Debug)]
pub(super) enum ListenerSocket {
    Tcp(TcpListener),
    /// Both loopback addresses, at one port.
    Loopback(TcpListener, TcpListener),
    Unix(UnixSocketFile),
}

/// A connection that was accepted.
#[derive(Debug)]
pub(super) enum AcceptedStream {
    Tcp(TcpStream, SocketAddr),
    Unix(UnixStream),
}

impl ListenerSocket {
    /// Takes the address; port 0 picks a free one.
    pub(super) fn bind_tcp(address: SocketAddr) -> io::Result<Self> {
        bind(address).map(Self::Tcp)
    }

    /// Takes 127.0.0.1 and ::1; port 0 picks one that is free at both. A machine without IPv6 has the first alone.
    pub(super) fn bind_loopback(port: u16) -> io::Result<Self> {
        let mut attempts = 0..PORTS_TRIED;
        loop {
            let first = bind((Ipv4Addr::LOCALHOST, port).into())?;
            match bind((Ipv6Addr::LOCALHOST, first.local_addr()?.port()).into()) {
                Ok(second) => return Ok(Self::Loopback(first, second)),
                Err(error) if error.kind() != ErrorKind::AddrInUse => return Ok(Self::Tcp(first)),
                Err(error) if port != 0 || attempts.next().is_none() => return Err(error),
                Err(_) => {}
            }
        }
    }

    pub(super) fn bind_unix(path: &Path) -> io::Result<Self> {
        UnixSocketFile::bind(path).map(Self::Unix)
    }

    /// The address taken, the first of two; a Unix socket has none.
    pub(super) fn address(&self) -> io::Result<SocketAddr> {
        match self {
            Self::Tcp(socket) | Self::Loopback(socket, _) => socket.local_addr(),
            Self::Unix(_) => Err(io::Error::new(ErrorKind::Unsupported, "a Unix socket has no port")),
        }
    }

    pub(super) async fn accept(&self) -> io::Result<AcceptedStream> {
        let (stream, peer) = match self {
            Self::Tcp(socket) => socket.accept().await?,
            Self::Loopback(first, second) => tokio::select! {
                accepted = first.accept() => accepted?,
                accepted = second.accept() => accepted?,
            },
            Self::Unix(socket) => return Ok(AcceptedStream::Unix(socket.listener.accept().await?.0)),
        };
        set_no_delay(&stream);
        Ok(AcceptedStream::Tcp(stream, peer))
    }
}

/// Takes the address; port 0 picks a free one.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Small packets leave at once: answers are written whole, and waiting for more only delays them.
fn set_no_delay(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot switch Nagle's algorithm off");
    }
}

/// A Unix socket and its file, which is removed with it.
#[derive(Debug)]
pub(super) struct UnixSocketFile {
    listener: UnixListener,
    path: PathBuf,
    /// Device and inode: the file may be another one at the end.
    file: (u64, u64),
}

impl UnixSocketFile {
    /// Listens at this path. The socket of a process that has ended is replaced; one that is listened on, and any other file, is not.
    fn bind(path: &Path) -> io::Result<Self> {
        let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
        if fs::metadata(folder)?.mode() & OTHERS_MAY_WRITE != 0 {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "everybody may write to the socket's folder"));
        }
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(found) if !found.file_type().is_socket() => {
                return Err(io::Error::new(ErrorKind::AlreadyExists, "there is a file that is no socket"));
            }
            Ok(_) => match BlockingUnixStream::connect(path) {
                Ok(_) => return Err(io::Error::new(ErrorKind::AddrInUse, "another process listens there")),
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => {}
                Err(error) => return Err(error),
            },
        }
        // Made where nobody else can reach it before it has its permissions.
        let mut closed = path.to_owned().into_os_string();
        closed.push(".new");
        let closed = PathBuf::from(closed);
        let fresh = closed.join("s");
        // Left by a process that was killed; what else is there is not removed.
        for removed in [fs::remove_file(&fresh), fs::remove_dir(&closed)] {
            if let Err(error) = removed {
                tracing::trace!(%error, "nothing was left behind");
            }
        }
        DirBuilder::new().mode(0o700).create(&closed)?;
        let listener = UnixListener::bind(&fresh)?;
        fs::set_permissions(&fresh, Permissions::from_mode(UNIX_MODE))?;
        fs::rename(&fresh, path)?;
        fs::remove_dir(&closed)?;
        let file = fs::symlink_metadata(path).map(|it| (it.dev(), it.ino()))?;
        Ok(Self { listener, path: path.to_owned(), file })
    }
}

impl Drop for UnixSocketFile {
    /// If this fails, the next start replaces the file.
    fn drop(&mut self) {
        let is_own = fs::symlink_metadata(&self.path).is_ok_and(|it| (it.dev(), it.ino()) == self.file);
        if is_own && let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(%error, file = %self.path.display(), "the file of a socket cannot be removed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn both_loopback_addresses_are_listened_on_at_one_port() {
        let socket = ListenerSocket::bind_loopback(0).unwrap();
        let port = socket.address().unwrap().port();
        let addresses = match &socket {
            ListenerSocket::Loopback(..) => vec![IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()],
            // This machine has no IPv6.
            _ => vec![Ipv4Addr::LOCALHOST.into()],
        };
        for address in addresses {
            let caller = TcpStream::connect((address, port)).await.unwrap();
            let AcceptedStream::Tcp(_, peer) = socket.accept().await.unwrap() else { panic!("no connection") };
            assert_eq!(peer, caller.local_addr().unwrap());
        }
        assert_eq!(ListenerSocket::bind_loopback(port).unwrap_err().kind(), ErrorKind::AddrInUse);
    }
}
