import type { TFunction } from 'i18next'
import { type Channel, type Circuit, PRIORITY_MIN, WEIGHT_MIN } from '../../api/channels.ts'
import type { Column } from '../../components/data-table/column.ts'
import { DateTime } from '../../components/date-time.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { isoTime, localTime } from '../../components/times.ts'
import { BalanceCell, UsedTag } from './balance-cell.tsx'
import { enabledLook, Kinds, Names, TagButton, TagName } from './cells.tsx'
import { ChannelActions, type ChannelActs } from './channel-actions.tsx'
import type { KindLook } from './kinds.ts'
import { NumberEditor } from './number-editor.tsx'
import { groupsOf, isTag, type Row } from './rows.ts'
import { circuitLook, responseLook, statusLook } from './status.ts'
import { TagActions, type TagActs } from './tag-actions.tsx'

export interface RowActs extends ChannelActs, TagActs {
  /** Channels whose balance is being asked for now. */
  asking: ReadonlySet<number>
  onBalance: (channel: Channel) => void
  onNumber: (row: Row, field: 'priority' | 'weight', value: number) => void
  /** Shows the channels of a tag alone. */
  onTag: (tag: string) => void
}

interface Parts {
  acts: RowActs
  circuits: ReadonlyMap<number, Circuit[]>
  kindLook: KindLook
}

const NONE: Circuit[] = []

export function channelColumns(t: TFunction, { acts, circuits, kindLook }: Parts): Column<Row>[] {
  return [
    {
      key: 'id',
      title: t('channel.id'),
      fixedPlace: true,
      render: (row) => (isTag(row) ? '' : <span className="number">{row.id}</span>),
      value: (row) => (isTag(row) ? '' : row.id),
    },
    {
      key: 'name',
      title: t('channel.name'),
      render: (row) =>
        isTag(row) ? <TagName row={row} onTag={acts.onTag} /> : <span className="channel-name">{row.name}</span>,
      value: (row) => (isTag(row) ? row.tag : row.name),
    },
    {
      key: 'group',
      title: t('channel.group'),
      wideOnly: true,
      render: (row) => <Names names={isTag(row) ? row.groups : groupsOf(row)} />,
      value: (row) => (isTag(row) ? row.groups.join(',') : row.group),
    },
    {
      key: 'type',
      title: t('channel.type'),
      wideOnly: true,
      render: (row) => <Kinds row={row} look={kindLook} />,
      value: (row) => (isTag(row) ? row.types : [row.type]).map((type) => kindLook(type).text).join(','),
    },
    {
      key: 'status',
      title: t('channel.status'),
      render: (row) => (
        <span className="tags">
          <StatusTag {...(isTag(row) ? enabledLook(t, row) : statusLook(t, row))} />
          {!isTag(row) &&
            (circuits.get(row.id) ?? NONE).map((circuit) => (
              <StatusTag key={`${circuit.node_id} ${circuit.scope} ${circuit.subject}`} {...circuitLook(t, circuit)} />
            ))}
        </span>
      ),
      value: (row) => (isTag(row) ? enabledLook(t, row) : statusLook(t, row)).text,
    },
    {
      key: 'response_time',
      title: t('channel.responseTime'),
      wideOnly: true,
      render: (row) => {
        const { hint: failure, ...look } = responseLook(t, row.response_time, isTag(row) ? '' : row.other_info)
        const tested =
          !isTag(row) && row.test_time > 0 ? t('channel.testedAt', { time: localTime(row.test_time) }) : undefined
        return <StatusTag {...look} hint={failure === undefined ? tested : `${tested}: ${failure}`} />
      },
      value: ({ response_time }) => response_time / 1000,
    },
    {
      key: 'balance',
      title: t('channel.balance'),
      wideOnly: true,
      render: (row) =>
        isTag(row) ? (
          <UsedTag quota={row.used_quota} />
        ) : (
          <BalanceCell channel={row} busy={acts.asking.has(row.id)} onUpdate={() => acts.onBalance(row)} />
        ),
      value: ({ used_quota }) => used_quota,
    },
    ...(['priority', 'weight'] as const).map(
      (field): Column<Row> => ({
        key: field,
        title: t(`channel.${field}`),
        wideOnly: true,
        render: (row) => (
          <NumberEditor
            value={row[field]}
            min={field === 'priority' ? PRIORITY_MIN : WEIGHT_MIN}
            placeholder={t('channel.mixed')}
            label={t(`channel.${field}Of`, { name: isTag(row) ? row.tag : row.name })}
            onSave={(value) => acts.onNumber(row, field, value)}
          />
        ),
        value: (row) => row[field] ?? '',
      }),
    ),
    {
      key: 'tag',
      title: t('channel.tag'),
      wideOnly: true,
      render: (row) => row.tag && !isTag(row) && <TagButton tag={row.tag} onTag={acts.onTag} />,
      value: ({ tag }) => tag ?? '',
    },
    {
      key: 'models',
      title: t('channel.models'),
      hidden: true,
      render: (row) => (isTag(row) ? '' : <span className="models-cell">{row.models}</span>),
      value: (row) => (isTag(row) ? '' : row.models),
    },
    {
      key: 'created_time',
      title: t('channel.created'),
      hidden: true,
      render: (row) => (isTag(row) ? '' : <DateTime seconds={row.created_time} />),
      value: (row) => (isTag(row) ? '' : isoTime(row.created_time)),
    },
    {
      key: 'actions',
      title: t('action.actions'),
      fixedPlace: true,
      fixed: 'right',
      render: (row) =>
        isTag(row) ? <TagActions row={row} acts={acts} /> : <ChannelActions channel={row} acts={acts} />,
    },
  ]
}
