import type { Actor } from '../core/actor.ts'

/** Status of a gateway, limited to what the actor's role may see. */
export interface GatewayStatus {
  kind: 'database' | 'server'
  /** URL of the server, or of the database without its password. */
  address: string
  name: string
  /** Version of the server's gateway; for a local database the version of this program. */
  version: string
  /** Start time in unix seconds; 0 for a local database. */
  start_time: number
  /** Whether the database responds; `unknown` for common users, who may not check it. */
  database: 'answers' | 'silent' | 'unknown'
  user: { id: number; username: string; role: number }
}

/** Public texts that the operator edits. */
const CONTENTS = ['notice', 'about', 'home'] as const
export type ContentName = (typeof CONTENTS)[number]

export interface GatewayInfo {
  status(actor: Actor): Promise<GatewayStatus>
  /** Returns a public text: Markdown, HTML or a URL; empty if not set. */
  content(name: ContentName): Promise<string>
}
