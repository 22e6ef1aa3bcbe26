import type { Actor } from '../core/actor.ts'

/** How a gateway is doing, as far as whoever asks may know. */
export interface GatewayStatus {
  kind: 'database' | 'server'
  /** Of the server, or of the database without its password. */
  address: string
  name: string
  /** Of the gateway; of this program where the database is asked itself. */
  version: string
  /** Unix seconds; 0 where no process of the gateway was asked. */
  start_time: number
  /** A common user may not ask. */
  database: 'answers' | 'silent' | 'unknown'
  user: { id: number; username: string; role: number }
}

/** Texts that the operator writes for everybody. */
export const CONTENTS = ['notice', 'about', 'home'] as const
export type Content = (typeof CONTENTS)[number]

export interface GatewayInfo {
  status(actor: Actor): Promise<GatewayStatus>
  /** Markdown, HTML or an address; empty until somebody wrote it. */
  content(name: Content): Promise<string>
}
