import type { Command } from 'commander'
import type { AuditQuery } from '../../../core/audit/audit.ts'
import { pastTime } from '../../input/arguments.ts'

export interface AuditFilterFlags {
  actor?: string
  action?: string
  object?: string
  since?: number
  until?: number
}

export function withAuditFilter(command: Command): Command {
  return command
    .option('--actor <name>', 'filter by user (name or ID)')
    .option('--action <word>', 'filter by action, such as channel.update, or noun, such as channel')
    .option('--object <word>', 'filter by object, such as channel:7')
    .option('--since <when>', 'only rows since: a duration such as 1h or 7d, or a date such as 2026-01-31', pastTime)
    .option('--until <when>', 'only rows until: the same formats', pastTime)
}

export function toAuditQuery({ actor, action, object, since: from, until: to }: AuditFilterFlags): AuditQuery {
  return { actor, action, object, from, to }
}
