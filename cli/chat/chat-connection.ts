import type { Actor } from '../../core/actor.ts'
import type { Server } from '../remote/client.ts'

/** Server and credentials for chat requests. */
export interface ChatConnection {
  server: Server
  /** Whether to bypass the configured proxy. */
  isProxyBypassed?: true
  /** Headers to send with every call. */
  headers: Readonly<Record<string, string>>
  /** Waits until all chats are charged. */
  close(): Promise<void>
}

export interface ChatConnector {
  /** Opens a gateway for chats. The actor pays for the chats. */
  open(actor: Actor): Promise<ChatConnection>
}
