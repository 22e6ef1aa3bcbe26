import { connect } from 'node:net'

/** Passes bytes between a socket and an address, both ways, until one side ends. */
export function pipeTo(socket, address) {
  const other = connect(address)
  const close = () => {
    socket.destroy()
    other.destroy()
  }
  socket.on('error', close).on('close', close)
  other.on('error', close).on('close', close)
  socket.pipe(other).pipe(socket)
}
