import type { TFunction } from 'i18next'
import type { AuditEntry } from '../../api/audit.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { textColumn, timeColumn } from '../../components/data-table/columns.tsx'

export function auditColumns(t: TFunction): TableColumn<AuditEntry>[] {
  return [
    timeColumn(
      { key: 'created_at', width: 150, fixed: 'left', early: true, title: t('field.time') },
      (row) => row.created_at,
    ),
    {
      key: 'actor',
      width: 120,
      early: true,
      title: t('audit.actor'),
      render: ({ actor, actor_id }) => actor || String(actor_id),
      value: ({ actor }) => actor,
    },
    { key: 'actor_id', width: 90, title: t('audit.actorId'), hidden: true, value: ({ actor_id }) => actor_id },
    textColumn({ key: 'address', width: 130, rank: 2, title: t('audit.address') }, ({ address }) => address),
    { key: 'action', width: 170, early: true, title: t('audit.action'), value: ({ action }) => action },
    { key: 'object', width: 160, title: t('audit.object'), value: ({ object }) => object },
    {
      key: 'fields',
      width: 220,
      grow: true,
      rank: 1,
      title: t('audit.fields'),
      render: (entry) => <span className="audit-fields">{changedFieldsOf(entry).join(', ') || '–'}</span>,
    },
    { key: 'before', width: 260, title: t('audit.before'), hidden: true, value: ({ before }) => json(before) },
    { key: 'after', width: 260, title: t('audit.after'), hidden: true, value: ({ after }) => json(after) },
  ]
}

/** Returns the names of fields that were changed, added or removed. */
export function changedFieldsOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
}

const json = (fields: AuditEntry['before']) => (fields ? JSON.stringify(fields) : '')
