//! The sockets that listeners accept connections from: TCP, or a Unix socket for a proxy on the same machine.

use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream as BlockingUnixStream;
use std::path::{Path, PathBuf};
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixStream};

/// The send buffer of the operating system, bytes for each connection (Linux doubles it). By default it grows to megabytes, and the
/// progress of a slow reader is then rarely visible.
const SEND_BUFFER_BYTES: u32 = 128 * 1024;

/// The most connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// How many ports that are free at one loopback address are tried at the other one.
const PORTS_TRIED: usize = 16;

/// The mode of a Unix socket, to which owner and group may connect.
const UNIX_MODE: u32 = 0o660;

/// The bit of a folder's mode that lets everybody rename files in it.
const OTHERS_MAY_WRITE: u32 = 0o002;

/// The address that stands for callers of a Unix socket, which have none.
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
    /// Binds the address; port 0 selects a free port.
    pub(super) fn bind_tcp(address: SocketAddr) -> io::Result<Self> {
        bind(address).map(Self::Tcp)
    }

    /// Binds 127.0.0.1 and ::1; port 0 selects a port that is free at both. On a machine without IPv6 only the first is bound.
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

    /// The bound address, or the first of two; a Unix socket has none.
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

/// Binds the address; port 0 selects a free port.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER_BYTES)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Turns off Nagle's algorithm: responses are written as a whole, so waiting for more data only delays them.
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
    /// Listens at this path. The socket of a process that has ended is replaced; a socket in use, and any other file, is not.
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
        // The socket is made in a private folder, so that nobody can connect before its permissions are set.
        let mut closed = path.to_owned().into_os_string();
        closed.push(".new");
        let closed = PathBuf::from(closed);
        let fresh = closed.join("s");
        // The socket was left by a process that was killed; any other file is not removed.
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
