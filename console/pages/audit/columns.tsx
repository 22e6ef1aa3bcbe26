import type { TFunction } from 'i18next'
import type { AuditEntry } from '../../api/audit.ts'
import type { Column } from '../../components/data-table/column.ts'
import { DateTime } from '../../components/date-time.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { isoTime } from '../../components/times.ts'

export function auditColumns(t: TFunction): Column<AuditEntry>[] {
  return [
    {
      key: 'created_at',
      early: true,
      title: t('audit.time'),
      render: ({ created_at }) => <DateTime seconds={created_at} />,
      value: ({ created_at }) => isoTime(created_at),
    },
    {
      key: 'actor',
      early: true,
      title: t('audit.actor'),
      render: ({ actor, actor_id }) => actor || String(actor_id),
      value: ({ actor }) => actor,
    },
    {
      key: 'actor_id',
      title: t('audit.actorId'),
      hidden: true,
      render: ({ actor_id }) => actor_id,
      value: ({ actor_id }) => actor_id,
    },
    {
      key: 'address',
      title: t('audit.address'),
      wideOnly: true,
      render: ({ address }) => address || '–',
      value: ({ address }) => address,
    },
    {
      key: 'action',
      early: true,
      title: t('audit.action'),
      render: ({ action }) => <StatusTag color={action.endsWith('.delete') ? 'red' : 'gray'} text={action} />,
      value: ({ action }) => action,
    },
    { key: 'object', title: t('audit.object'), render: ({ object }) => object, value: ({ object }) => object },
    {
      key: 'fields',
      title: t('audit.fields'),
      wideOnly: true,
      render: (entry) => <span className="audit-fields">{fieldsOf(entry).join(', ') || '–'}</span>,
    },
    {
      key: 'before',
      title: t('audit.before'),
      hidden: true,
      render: ({ before }) => json(before),
      value: ({ before }) => json(before),
    },
    {
      key: 'after',
      title: t('audit.after'),
      hidden: true,
      render: ({ after }) => json(after),
      value: ({ after }) => json(after),
    },
  ]
}

/** The names of what was changed, made or removed. */
export function fieldsOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): string[] {
  return [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
}

const json = (fields: AuditEntry['before']) => (fields ? JSON.stringify(fields) : '')
