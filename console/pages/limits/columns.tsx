import Button from '@arco-design/web-react/es/Button'
import { IconEdit } from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import type { Limit } from '../../api/limits.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { actionsColumn } from '../../components/data-table/columns.tsx'
import { DeleteButton } from '../../components/data-table/row-menu.tsx'
import { LimitAmount, LimitUsage } from '../../components/limit-usage.tsx'
import { isDefaultLimit, type LimitUsageRow } from './use-limits.ts'

/** Maximum number of usage bars per limit. */
const COUNTS_MAX = 3

export function limitColumns(
  t: TFunction,
  { onEdit, onRemove }: { onEdit: (limit: Limit) => void; onRemove: (limit: Limit) => void },
): TableColumn<LimitUsageRow>[] {
  return [
    {
      key: 'subject',
      early: true,
      grow: true,
      width: 170,
      fixed: 'left',
      title: t('limit.subject'),
      value: ({ limit }) => subjectText(t, limit),
    },
    {
      key: 'amount',
      width: 170,
      early: true,
      title: t('limit.amount'),
      render: ({ limit }) => (
        <span>
          <LimitAmount measure={limit.measure} amount={limit.amount} /> {t(`limit.measure.${limit.measure}`)}
        </span>
      ),
      value: ({ limit }) => limit.amount,
    },
    { key: 'window', width: 200, title: t('limit.window'), value: ({ limit }) => windowText(t, limit) },
    {
      key: 'usage',
      width: 190,
      title: t('limit.usage'),
      render: ({ limit, counts }) =>
        counts.length > 0 && (
          <div>
            {counts.slice(0, COUNTS_MAX).map((status) => (
              <div key={status.subject_id}>
                {isDefaultLimit(limit) && <span>{status.name}</span>}
                <LimitUsage status={status} named={false} />
              </div>
            ))}
          </div>
        ),
      value: ({ counts }) => counts[0]?.used ?? 0,
    },
    {
      key: 'action',
      width: 150,
      wideOnly: true,
      title: t('limit.action'),
      render: ({ limit }) => actionText(t, limit),
      value: ({ limit }) => limit.action,
    },
    actionsColumn(t, ({ limit }) => (
      <div className="row-actions">
        <Button
          type="text"
          icon={<IconEdit />}
          aria-label={t('limit.editOf', { subject: subjectText(t, limit) })}
          onClick={() => onEdit(limit)}
        />
        <DeleteButton label={t('limit.removeOf', { subject: subjectText(t, limit) })} onClick={() => onRemove(limit)} />
      </div>
    )),
  ]
}

function subjectText(t: TFunction, limit: Limit): string {
  const kind = t(`limit.kind.${limit.subject}`)
  if (isDefaultLimit(limit)) return t('limit.each', { kind })
  const { name, subject_id } = limit
  return name === subject_id ? `${kind} ${subject_id}` : `${kind} ${name} (${subject_id})`
}

function windowText(t: TFunction, { period, time_zone }: Limit): string {
  if (period === 'none') return t('limit.per.none')
  const window = t(`limit.per.${period}`)
  return time_zone === '' ? t('limit.rolling', { window }) : t('limit.calendar', { window, zone: time_zone })
}

function actionText(t: TFunction, { action, wait_seconds }: Limit): string {
  return action === 'queue' ? t('limit.queueFor', { count: wait_seconds }) : t(`limit.act.${action}`)
}
