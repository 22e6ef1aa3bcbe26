import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { BodyShare } from './budget.ts'

/** Close code "try again later": https://www.iana.org/assignments/websocket/websocket.xml */
const CLOSE_NO_ROOM = 1013

/**
 * Counts the bytes of a websocket's incomplete message like those of a request body. Closes the connection if the budget is used
 * up, because a message cannot be skipped.
 */
export function countMessages(client: WebSocket, socket: Duplex, share: BodyShare): void {
  // This listener must run before that of the library, which may complete the message with this piece.
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
