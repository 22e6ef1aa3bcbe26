import type { AuditQuery } from '../../../core/audit/audit.ts'
import type { Command } from '../../command.ts'
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
    .option('--actor <name>', 'audit.filterByUserNameOrId')
    .option('--action <word>', 'audit.filterByAction')
    .option('--object <word>', 'audit.filterByObject')
    .option('--since <when>', 'log.onlyRowsSince', pastTime)
    .option('--until <when>', 'log.onlyRowsUntil', pastTime)
}

export function auditQueryOfFlags({ actor, action, object, since: from, until: to }: AuditFilterFlags): AuditQuery {
  return { actor, action, object, from, to }
}
