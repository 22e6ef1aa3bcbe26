import Button from '@arco-design/web-react/es/Button'
import { IconCopy } from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { LimitStatus } from '../../api/limits.ts'
import { fullKeyOf, NEVER, TOKEN_STATUS, type Token } from '../../api/tokens.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { actionsColumn, quotaColumn, timeColumn } from '../../components/data-table/columns.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { LimitUsage } from '../../components/limit-usage.tsx'
import { Quota } from '../../components/quota.tsx'
import { type BadgeStyle, StatusTag } from '../../components/status-tag.tsx'
import { isoTime } from '../../components/times.ts'
import { TokenActions, type TokenHandlers } from './token-actions.tsx'

/** Returns the columns of the token list. `limits` are the usage of limits by token id. */
export function tokenColumns(t: TFunction, handlers: TokenHandlers, limits: LimitsByToken): TableColumn<Token>[] {
  return [
    {
      key: 'name',
      early: true,
      grow: true,
      width: 180,
      fixed: 'left',
      sort: 'name',
      title: t('field.name'),
      value: ({ name }) => name,
    },
    {
      key: 'status',
      early: true,
      width: 130,
      sort: 'status',
      title: t('field.status'),
      render: (token) => <StatusTag {...statusBadge(t, token)} />,
      value: (token) => statusBadge(t, token).text,
    },
    {
      key: 'key',
      title: t('field.key'),
      width: 150,
      render: (token) => <KeyCell token={token} onCopy={handlers.onCopy} />,
      value: fullKeyOf,
    },
    quotaColumn({ key: 'used_quota', width: 120, sort: 'used_quota', title: t('field.used') }, (row) => row.used_quota),
    {
      key: 'remain_quota',
      width: 120,
      sort: 'remain_quota',
      title: t('token.remaining'),
      align: 'right',
      render: ({ unlimited_quota, remain_quota }) =>
        unlimited_quota ? t('token.unlimited') : <Quota value={remain_quota} />,
      value: ({ unlimited_quota, remain_quota }) => (unlimited_quota ? -1 : remain_quota),
    },
    ...limitColumn(t, limits),
    timeColumn(
      { key: 'created_time', title: t('field.created'), width: 150, sort: 'created_time', rank: 2 },
      (row) => row.created_time,
    ),
    {
      key: 'expired_time',
      width: 150,
      sort: 'expired_time',
      rank: 1,
      title: t('field.expires'),
      render: ({ expired_time }) =>
        expired_time === NEVER ? t('token.expiry.never') : <DateTime seconds={expired_time} />,
      value: ({ expired_time }) => (expired_time === NEVER ? '' : isoTime(expired_time)),
    },
    actionsColumn(t, (token) => <TokenActions token={token} handlers={handlers} />),
  ]
}

type LimitsByToken = ReadonlyMap<number, readonly LimitStatus[]>

/** Returns the column of limits; no column if no token has limits. */
function limitColumn(t: TFunction, limits: LimitsByToken): TableColumn<Token>[] {
  if (limits.size === 0) return []
  return [
    {
      key: 'limits',
      width: 200,
      title: t('screen.limit'),
      render: ({ id }) => {
        const statuses = limits.get(id)
        return (
          statuses && (
            <div>
              {statuses.map((status) => (
                <LimitUsage key={status.limit.id} status={status} />
              ))}
            </div>
          )
        )
      },
    },
  ]
}

function statusBadge(t: TFunction, { status, model_limits_enabled }: Token): BadgeStyle & { hint?: string } {
  switch (status) {
    case TOKEN_STATUS.enabled:
      return { color: 'green', text: t(model_limits_enabled ? 'token.state.limited' : 'channel.state.enabled') }
    case TOKEN_STATUS.disabled:
      return { color: 'red', text: t('channel.state.disabled') }
    case TOKEN_STATUS.expired:
      return { color: 'orange', text: t('token.state.expired'), hint: t('token.hint.expired') }
    case TOKEN_STATUS.exhausted:
      return { color: 'gray', text: t('token.state.exhausted'), hint: t('token.hint.exhausted') }
    default:
      return { color: 'gray', text: t('field.unknownStatus') }
  }
}

/** The start and end of a key. A click copies the whole key. */
function KeyCell({ token, onCopy }: { token: Token; onCopy: (token: Token) => void }) {
  const { t } = useTranslation()
  const { name, key } = token
  return (
    <Button
      size="mini"
      type="text"
      className="key-cell"
      title={t('token.copyKey')}
      aria-label={t('token.copyKeyOf', { name })}
      onClick={() => onCopy(token)}
    >
      <code>{`sk-${key.slice(0, 4)}…${key.slice(-4)}`}</code> <IconCopy />
    </Button>
  )
}
