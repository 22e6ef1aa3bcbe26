import type { TFunction } from 'i18next'
import { type Channel, type ChannelActivity, type CircuitStatus, PRIORITY_MIN, WEIGHT_MIN } from '../../api/channels.ts'
import type { TableColumn } from '../../components/data-table/column.ts'
import { ACTIONS_PX } from '../../components/data-table/row-menu.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { isoTime, localTime } from '../../components/times.ts'
import { ActivityCell, BalanceCell, enabledBadge, Kinds, StateCell, TagButton, TagName, UsedTag } from './cells.tsx'
import { ChannelActions, type ChannelHandlers, TagActions, type TagHandlers } from './channel-actions.tsx'
import type { KindName } from './kinds.ts'
import { NumberEditor } from './number-editor.tsx'
import { type ChannelTableRow, groupsOf, isTagRow } from './rows.ts'
import { circuitBadge, responseTimeBadge, statusBadge } from './status.ts'

export interface ChannelRowHandlers extends ChannelHandlers, TagHandlers {
  /** Ids of the channels whose balance is being queried. */
  queryingBalance: ReadonlySet<number>
  onBalance: (channel: Channel) => void
  onNumber: (row: ChannelTableRow, field: 'priority' | 'weight', value: number) => void
  /** Filters the list by a tag. */
  onTag: (tag: string) => void
}

interface Parts {
  handlers: ChannelRowHandlers
  circuits: ReadonlyMap<number, CircuitStatus[]>
  kindName: KindName
  /** Activity in the last 24 hours by channel id; undefined until loaded. */
  activity: ReadonlyMap<number, ChannelActivity> | undefined
}

const NONE: CircuitStatus[] = []

export function channelColumns(
  t: TFunction,
  { handlers, circuits, kindName, activity }: Parts,
): TableColumn<ChannelTableRow>[] {
  return [
    ...nameColumns(t, handlers, kindName),
    ...stateColumns(t, { circuits, activity }),
    ...measureColumns(t, handlers),
    ...(['priority', 'weight'] as const).map(
      (field): TableColumn<ChannelTableRow> => ({
        key: field,
        title: t(`channel.${field}`),
        width: 72,
        rank: 7,
        sort: field,
        render: (row) => (
          <NumberEditor
            value={row[field]}
            min={field === 'priority' ? PRIORITY_MIN : WEIGHT_MIN}
            placeholder={t('channel.mixed')}
            label={t(`channel.${field}Of`, { name: isTagRow(row) ? row.tag : row.name })}
            onSave={(value) => handlers.onNumber(row, field, value)}
          />
        ),
        value: (row) => row[field] ?? '',
      }),
    ),
    {
      key: 'tag',
      title: t('channel.tag'),
      width: 76,
      rank: 8,
      sort: 'tag',
      render: (row) => row.tag && !isTagRow(row) && <TagButton tag={row.tag} onTag={handlers.onTag} />,
      value: ({ tag }) => tag ?? '',
    },
    {
      key: 'models',
      title: t('channel.models'),
      width: 260,
      hidden: true,
      render: (row) => (isTagRow(row) ? '' : <span className="models-cell">{row.models}</span>),
      value: (row) => (isTagRow(row) ? '' : row.models),
    },
    {
      key: 'created_time',
      title: t('field.created'),
      width: 150,
      sort: 'created_time',
      hidden: true,
      render: (row) => (isTagRow(row) ? '' : <DateTime seconds={row.created_time} />),
      value: (row) => (isTagRow(row) ? '' : isoTime(row.created_time)),
    },
    {
      key: 'actions',
      title: t('action.actions'),
      fixedPlace: true,
      fixed: 'right',
      align: 'right',
      width: ACTIONS_PX,
      render: (row) =>
        isTagRow(row) ? (
          <TagActions row={row} handlers={handlers} />
        ) : (
          <ChannelActions channel={row} handlers={handlers} />
        ),
    },
  ]
}

function nameColumns(t: TFunction, handlers: ChannelRowHandlers, kindName: KindName): TableColumn<ChannelTableRow>[] {
  return [
    {
      key: 'id',
      width: 48,
      sort: 'id',
      title: t('field.id'),
      fixedPlace: true,
      render: (row) => (isTagRow(row) ? '' : <span className="number">{row.id}</span>),
      value: (row) => (isTagRow(row) ? '' : row.id),
    },
    {
      key: 'name',
      width: 130,
      grow: true,
      fixed: 'left',
      early: true,
      sort: 'name',
      title: t('field.name'),
      render: (row) => (isTagRow(row) ? <TagName row={row} onTag={handlers.onTag} /> : row.name),
      value: (row) => (isTagRow(row) ? row.tag : row.name),
    },
    {
      key: 'group',
      title: t('channel.group'),
      width: 76,
      rank: 5,
      render: (row) => (isTagRow(row) ? row.groups : groupsOf(row)).join(', '),
      value: (row) => (isTagRow(row) ? row.groups.join(',') : row.group),
    },
    {
      key: 'type',
      title: t('field.type'),
      width: 104,
      rank: 4,
      sort: 'type',
      render: (row) => <Kinds row={row} nameOf={kindName} />,
      value: (row) => (isTagRow(row) ? row.types : [row.type]).map((type) => kindName(type)).join(','),
    },
  ]
}

function stateColumns(
  t: TFunction,
  { circuits, activity }: Pick<Parts, 'circuits' | 'activity'>,
): TableColumn<ChannelTableRow>[] {
  return [
    {
      key: 'status',
      width: 118,
      early: true,
      sort: 'status',
      title: t('field.status'),
      render: (row) => (
        <span className="tags">
          <StateCell row={row} />
          {!isTagRow(row) &&
            (circuits.get(row.id) ?? NONE).map((circuit) => (
              <StatusTag key={`${circuit.node_id} ${circuit.scope} ${circuit.subject}`} {...circuitBadge(t, circuit)} />
            ))}
        </span>
      ),
      value: (row) => (isTagRow(row) ? enabledBadge(t, row) : statusBadge(t, row)).text,
    },
    {
      key: 'activity',
      width: 140,
      rank: 1,
      title: t('channel.activity.title'),
      render: (row) => (isTagRow(row) ? '' : <ActivityCell activity={activity?.get(row.id)} />),
      value: (row) => (isTagRow(row) ? '' : (activity?.get(row.id)?.share ?? '')),
    },
  ]
}

/** Returns the columns of response time and balance. */
function measureColumns(t: TFunction, handlers: ChannelRowHandlers): TableColumn<ChannelTableRow>[] {
  return [
    {
      key: 'response_time',
      title: t('channel.responseTime'),
      width: 76,
      rank: 6,
      sort: 'response_time',
      render: (row) => {
        const { hint: failure, ...style } = responseTimeBadge(t, row.response_time, isTagRow(row) ? '' : row.other_info)
        const tested =
          !isTagRow(row) && row.test_time > 0 ? t('channel.testedAt', { time: localTime(row.test_time) }) : undefined
        return <StatusTag {...style} hint={failure === undefined ? tested : `${tested}: ${failure}`} />
      },
      value: ({ response_time }) => response_time / 1000,
    },
    {
      key: 'balance',
      title: t('channel.balance'),
      width: 88,
      rank: 3,
      align: 'right',
      sort: 'used_quota',
      render: (row) =>
        isTagRow(row) ? (
          <UsedTag quota={row.used_quota} />
        ) : (
          <BalanceCell
            channel={row}
            busy={handlers.queryingBalance.has(row.id)}
            onUpdate={() => handlers.onBalance(row)}
          />
        ),
      value: ({ used_quota }) => used_quota,
    },
  ]
}
