import type { TFunction } from 'i18next'
import { LOG_TYPE } from '../../api/logs.ts'
import type { Team, TeamLog } from '../../api/teams.ts'
import { Count } from '../../components/count.tsx'
import type { TableColumn } from '../../components/data-table/column.ts'
import { quotaColumn, timeColumn } from '../../components/data-table/columns.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { LogType } from '../../components/log-type.tsx'
import { Quota } from '../../components/quota.tsx'
import { requestPath } from '../../components/request-link.tsx'
import { isoTime } from '../../components/times.ts'
import { Link } from '../../router/link.tsx'

export function teamColumns(t: TFunction): TableColumn<Team>[] {
  return [
    {
      key: 'name',
      early: true,
      grow: true,
      width: 180,
      fixed: 'left',
      title: t('field.name'),
      value: ({ name }) => name,
    },
    {
      key: 'role',
      early: true,
      title: t('team.myRole'),
      render: ({ role }) => t(`team.role.${role || 'none'}`),
      value: ({ role }) => role,
    },
    quotaColumn({ key: 'quota', early: true, title: t('field.balance') }, (row) => row.quota),
    quotaColumn({ key: 'used_quota', rank: 2, title: t('team.used') }, (row) => row.used_quota),
    { key: 'owner', rank: 3, title: t('team.owner'), render: ({ owner }) => owner || '-', value: ({ owner }) => owner },
    { key: 'members', align: 'right', rank: 1, title: t('team.members'), value: ({ members }) => members },
    timeColumn({ key: 'created_at', width: 150, rank: 4, title: t('field.created') }, (row) => row.created_at),
  ]
}

/** Returns the columns of a team's log. The time is a link to the page of the request. */
export function teamLogColumns(t: TFunction, team: number): TableColumn<TeamLog>[] {
  return [
    {
      key: 'time',
      early: true,
      width: 150,
      title: t('field.time'),
      render: ({ created_at, request_id }) => {
        const time = <DateTime seconds={created_at} />
        return request_id ? <Link to={requestPath(request_id, team)}>{time}</Link> : time
      },
      value: ({ created_at }) => isoTime(created_at),
    },
    {
      key: 'type',
      rank: 3,
      title: t('field.type'),
      render: ({ type }) => <LogType type={type} />,
      value: ({ type }) => type,
    },
    {
      key: 'token',
      early: true,
      title: t('field.key'),
      render: ({ token_name }) => token_name || '-',
      value: ({ token_name }) => token_name,
    },
    {
      key: 'model',
      grow: true,
      width: 180,
      title: t('field.model'),
      value: ({ model_name, content }) => model_name || content,
    },
    ...(['prompt', 'completion'] as const).map(
      (kind, index): TableColumn<TeamLog> => ({
        key: kind,
        align: 'right',
        rank: index + 1,
        title: t(`log.${kind}`),
        render: (row) => (row.type === LOG_TYPE.consume ? <Count value={row[`${kind}_tokens`]} /> : '–'),
        value: (row) => row[`${kind}_tokens`],
      }),
    ),
    {
      key: 'quota',
      align: 'right',
      title: t('team.cost'),
      render: ({ quota }) => <Quota value={quota} digits={6} />,
      value: ({ quota }) => quota,
    },
  ]
}
