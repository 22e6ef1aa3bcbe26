import type { Actor } from '../../core/actor.ts'
import type { Server } from '../remote/client.ts'

/** Where chats are sent, and as whom. */
export interface ChatDoor {
  server: Server
  /** Whether it is reached without whatever proxy is set. */
  direct?: true
  /** With every call. */
  headers: Readonly<Record<string, string>>
  /** Waits until all that was said is charged. */
  close(): Promise<void>
}

export interface Chats {
  /** A gateway that chats can be sent to, for as long as it is needed. Chats are charged to the actor. */
  open(actor: Actor): Promise<ChatDoor>
}
