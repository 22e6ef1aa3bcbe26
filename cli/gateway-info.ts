import type { Actor } from '../core/actor.ts'

/** Status of a gateway, as far as the caller's role allows. */
export interface GatewayStatus {
  kind: 'database' | 'server'
  /** URL of the server, or of the database without its password. */
  address: string
  name: string
  /** Version of the gateway; of this program for a local database. */
  version: string
  /** Unix seconds; 0 for a local database. */
  start_time: number
  /** `unknown` for common users, who may not check it. */
  database: 'answers' | 'silent' | 'unknown'
  user: { id: number; username: string; role: number }
}

/** Public texts that the operator edits. */
export const CONTENTS = ['notice', 'about', 'home'] as const
export type Content = (typeof CONTENTS)[number]

export interface GatewayInfo {
  status(actor: Actor): Promise<GatewayStatus>
  /** Markdown, HTML or a URL; empty if not set. */
  content(name: Content): Promise<string>
}
