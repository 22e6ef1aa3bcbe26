import type { TFunction } from 'i18next'
import { REDEMPTION_STATUS, type Redemption } from '../../api/redemption.ts'
import type { Column } from '../../components/data-table/column.ts'
import { ACTIONS_PX } from '../../components/data-table/row-menu.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { Quota } from '../../components/quota.tsx'
import { StatusTag, type TagLook } from '../../components/status-tag.tsx'
import { isoTime } from '../../components/times.ts'
import { RedemptionActions, type RedemptionActs } from './redemption-actions.tsx'

export function redemptionColumns(t: TFunction, acts: RedemptionActs): Column<Redemption>[] {
  return [
    {
      key: 'id',
      width: 64,
      sort: 'id',
      title: t('redemption.id'),
      render: ({ id }) => <span className="number">{id}</span>,
      value: ({ id }) => id,
    },
    {
      key: 'name',
      early: true,
      grow: true,
      width: 160,
      fixed: 'left',
      sort: 'name',
      title: t('redemption.name'),
      render: ({ name }) => name,
      value: ({ name }) => name,
    },
    {
      key: 'status',
      early: true,
      width: 100,
      sort: 'status',
      title: t('redemption.status'),
      render: ({ status }) => <StatusTag {...statusLook(t, status)} />,
      value: ({ status }) => statusLook(t, status).text,
    },
    {
      key: 'key',
      title: t('redemption.code'),
      width: 130,
      rank: 2,
      render: ({ key }) => <code>{`${key.slice(0, 4)}…${key.slice(-4)}`}</code>,
      value: ({ key }) => key,
    },
    {
      key: 'quota',
      width: 110,
      sort: 'quota',
      title: t('redemption.quota'),
      align: 'right',
      render: ({ quota }) => <Quota value={quota} />,
      value: ({ quota }) => quota,
    },
    {
      key: 'created_time',
      width: 150,
      sort: 'created_time',
      rank: 1,
      title: t('redemption.created'),
      render: ({ created_time }) => <DateTime seconds={created_time} />,
      value: ({ created_time }) => isoTime(created_time),
    },
    {
      key: 'redeemed_time',
      title: t('redemption.redeemed'),
      width: 150,
      sort: 'redeemed_time',
      rank: 3,
      render: ({ redeemed_time }) => (redeemed_time > 0 ? <DateTime seconds={redeemed_time} /> : '–'),
      value: ({ redeemed_time }) => isoTime(redeemed_time),
    },
    {
      key: 'used_user_id',
      width: 110,
      rank: 2,
      title: t('redemption.usedBy'),
      render: ({ used_user_id }) => (used_user_id > 0 ? used_user_id : t('redemption.nobody')),
      value: ({ used_user_id }) => (used_user_id > 0 ? used_user_id : ''),
    },
    {
      key: 'actions',
      early: true,
      title: t('action.actions'),
      fixedPlace: true,
      fixed: 'right',
      width: ACTIONS_PX,
      render: (redemption) => <RedemptionActions redemption={redemption} acts={acts} />,
    },
  ]
}

function statusLook(t: TFunction, status: number): TagLook {
  switch (status) {
    case REDEMPTION_STATUS.unused:
      return { color: 'green', text: t('redemption.state.unused') }
    case REDEMPTION_STATUS.disabled:
      return { color: 'red', text: t('redemption.state.disabled') }
    case REDEMPTION_STATUS.used:
      return { color: 'gray', text: t('redemption.state.used') }
    default:
      return { color: 'gray', text: t('redemption.state.unknown') }
  }
}
