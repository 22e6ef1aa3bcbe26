import type { TFunction } from 'i18next'
import { keyOf, NEVER, TOKEN_STATUS, type Token } from '../../api/tokens.ts'
import type { Column } from '../../components/data-table/column.ts'
import { DateTime } from '../../components/date-time.tsx'
import { Quota } from '../../components/quota.tsx'
import { StatusTag, type TagLook } from '../../components/status-tag.tsx'
import { isoTime } from '../../components/times.ts'
import { TokenActions, type TokenActs } from './token-actions.tsx'

export function tokenColumns(t: TFunction, acts: TokenActs): Column<Token>[] {
  return [
    { key: 'name', early: true, title: t('token.name'), render: ({ name }) => name, value: ({ name }) => name },
    {
      key: 'status',
      early: true,
      title: t('token.status'),
      render: (token) => <StatusTag {...statusLook(t, token)} />,
      value: (token) => statusLook(t, token).text,
    },
    {
      key: 'key',
      title: t('token.key'),
      wideOnly: true,
      render: ({ key }) => <code>{`sk-${key.slice(0, 4)}…${key.slice(-4)}`}</code>,
      value: keyOf,
    },
    {
      key: 'used_quota',
      title: t('token.used'),
      align: 'right',
      render: ({ used_quota }) => <Quota value={used_quota} />,
      value: ({ used_quota }) => used_quota,
    },
    {
      key: 'remain_quota',
      title: t('token.remaining'),
      align: 'right',
      render: ({ unlimited_quota, remain_quota }) =>
        unlimited_quota ? t('token.unlimited') : <Quota value={remain_quota} />,
      value: ({ unlimited_quota, remain_quota }) => (unlimited_quota ? -1 : remain_quota),
    },
    {
      key: 'created_time',
      title: t('token.created'),
      wideOnly: true,
      render: ({ created_time }) => <DateTime seconds={created_time} />,
      value: ({ created_time }) => isoTime(created_time),
    },
    {
      key: 'expired_time',
      title: t('token.expires'),
      render: ({ expired_time }) => (expired_time === NEVER ? t('token.never') : <DateTime seconds={expired_time} />),
      value: ({ expired_time }) => (expired_time === NEVER ? '' : isoTime(expired_time)),
    },
    {
      key: 'actions',
      early: true,
      title: t('action.actions'),
      fixedPlace: true,
      fixed: 'right',
      render: (token) => <TokenActions token={token} {...acts} />,
    },
  ]
}

function statusLook(t: TFunction, { status, model_limits_enabled }: Token): TagLook & { hint?: string } {
  switch (status) {
    case TOKEN_STATUS.enabled:
      return { color: 'green', text: t(model_limits_enabled ? 'token.state.limited' : 'token.state.enabled') }
    case TOKEN_STATUS.disabled:
      return { color: 'red', text: t('token.state.disabled') }
    case TOKEN_STATUS.expired:
      return { color: 'orange', text: t('token.state.expired'), hint: t('token.hint.expired') }
    case TOKEN_STATUS.exhausted:
      return { color: 'gray', text: t('token.state.exhausted'), hint: t('token.hint.exhausted') }
    default:
      return { color: 'gray', text: t('token.state.unknown') }
  }
}
