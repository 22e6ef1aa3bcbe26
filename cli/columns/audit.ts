import type { AuditEntry } from '../../core/audit/audit.ts'
import type { Column } from '../output/column.ts'

const orDash = (text: string) => text || '-'
const fieldsText = (fields: AuditEntry['after']) => (fields ? JSON.stringify(fields) : '-')

export const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'id', rank: 7, value: ({ id }) => String(id), align: 'right' },
  { name: 'time', rank: 1, value: ({ created_at }, { time }) => time(created_at) },
  { name: 'actor', rank: 2, value: ({ actor, actor_id }) => actor || String(actor_id) },
  { name: 'address', rank: 6, value: ({ address }) => orDash(address) },
  { name: 'action', rank: 3, value: ({ action }) => action },
  { name: 'object', rank: 4, value: ({ object }) => object, cut: true },
  { name: 'before', rank: 8, value: ({ before }) => fieldsText(before), cut: true },
  { name: 'after', rank: 5, value: ({ after }) => fieldsText(after), cut: true },
]
