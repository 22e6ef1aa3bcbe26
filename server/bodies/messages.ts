import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { BodyBytes } from './budget.ts'

/** Close code "try again later": https://www.iana.org/assignments/websocket/websocket.xml */
const CLOSE_NO_ROOM = 1013

/**
 * Counts the bytes of incomplete websocket messages against the body budget. If the budget is used up, closes the
 * connection, because a message cannot be skipped.
 */
export function countMessages(client: WebSocket, socket: Duplex, share: BodyBytes): void {
  // This listener must run before the library's listener, which may complete the message with this piece.
  socket.prependListener('data', (piece: Buffer) => {
    try {
      share.add(piece.length)
    } catch {
      client.close(CLOSE_NO_ROOM, 'too many bytes of incomplete messages')
      socket.destroy()
    }
  })
  client.on('message', () => share.release())
  client.once('close', () => share.release())
}
