import Avatar from '@arco-design/web-react/es/Avatar'
import Button from '@arco-design/web-react/es/Button'
import Tag from '@arco-design/web-react/es/Tag'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { isChannelTest, LOG_TYPE } from '../../api/logs.ts'
import { Count } from '../../components/count.tsx'
import { type TableColumn, textWidth } from '../../components/data-table/column.ts'
import { timeColumn } from '../../components/data-table/columns.tsx'
import { LogType } from '../../components/log-type.tsx'
import { Quota } from '../../components/quota.tsx'
import { RequestLink } from '../../components/request-link.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { CopiedName } from './copied-name.tsx'
import { durationColor, firstTokenColor, inSeconds } from './latency.ts'
import { readDetails } from './log-details.ts'
import { failureCodeText, isEvent, ModelCell } from './model-cell.tsx'
import { summaryText } from './price-text.ts'
import { tokenText } from './token-text.ts'
import type { KeyedRow } from './use-logs.ts'

interface LogHandlers {
  onCopy: (text: string) => void
  onUser: (row: KeyedRow) => void
}

/** Width of two durations, the space between them and the paddings, in pixels. */
const TIMES_PX = 117

export const isCharge = ({ type }: Pick<KeyedRow, 'type'>): boolean => type === LOG_TYPE.consume

/** Returns the columns of the log. For `allUsers`, also channel, user and the tried channels. */
export function logColumns(t: TFunction, handlers: LogHandlers, allUsers: boolean): TableColumn<KeyedRow>[] {
  const forAdmins = (columns: TableColumn<KeyedRow>[]) => (allUsers ? columns : [])
  return [
    timeColumn(
      { key: 'time', early: true, width: 122, fixed: 'left', title: t('field.time') },
      (row) => row.created_at,
    ),
    ...forAdmins(originColumns(t, handlers)),
    ...requestColumns(t, handlers),
    ...usageColumns(t),
    ...forAdmins([
      {
        key: 'retry',
        title: t('log.retry'),
        width: 70,
        rank: 7,
        render: (row) => retryText(t, row),
        value: (row) => readDetails(row.other).triedChannels.join('->'),
      },
    ]),
    ...detailColumns(t),
  ]
}

export function retryText(t: TFunction, { other }: Pick<KeyedRow, 'other'>): string {
  const { triedChannels } = readDetails(other)
  return triedChannels.length > 0 ? t('log.tried', { channels: triedChannels.join('->') }) : ''
}

function originColumns(t: TFunction, { onUser }: LogHandlers): TableColumn<KeyedRow>[] {
  return [
    {
      key: 'channel',
      title: t('log.channel'),
      width: 52,
      rank: 4,
      render: (row) => row.channel > 0 && <StatusTag text={String(row.channel)} hint={row.channel_name} />,
      value: (row) => row.channel || '',
    },
    {
      key: 'user',
      width: 92,
      title: t('log.user'),
      render: (row) => row.user_id > 0 && <UserButton name={row.username} onClick={() => onUser(row)} />,
      value: (row) => row.username,
    },
  ]
}

/** Returns the columns of token, group, row type and model. */
function requestColumns(t: TFunction, { onCopy }: LogHandlers): TableColumn<KeyedRow>[] {
  return [
    {
      key: 'token',
      title: t('log.token'),
      width: 92,
      rank: 4,
      render: (row) =>
        isChannelTest(row) ? (
          tokenText(t, row)
        ) : (
          <CopiedName name={row.token_name} label={t('log.copyToken', { name: row.token_name })} onCopy={onCopy} />
        ),
      value: (row) => tokenText(t, row),
    },
    { key: 'group', title: t('field.group'), width: 64, rank: 6, value: (row) => row.group },
    {
      key: 'type',
      width: 64,
      title: t('field.type'),
      render: (row) => <LogType type={row.type} />,
      value: (row) => row.type,
    },
    {
      key: 'model',
      early: true,
      width: 130,
      title: t('field.model'),
      spans: isEvent,
      render: (row) => <ModelCell row={row} onCopy={onCopy} />,
      value: (row) => row.model_name,
    },
  ]
}

function usageColumns(t: TFunction): TableColumn<KeyedRow>[] {
  return [
    {
      key: 'duration',
      title: t('log.duration'),
      width: TIMES_PX + textWidth(t('log.streamed')),
      rank: 1,
      render: (row) => isCharge(row) && <Durations row={row} />,
      value: (row) => (isCharge(row) ? row.use_time : ''),
    },
    ...(['prompt', 'completion'] as const).map(
      (kind): TableColumn<KeyedRow> => ({
        key: kind,
        title: t(`log.${kind}`),
        align: 'right',
        width: 60,
        rank: 2,
        render: (row) => isCharge(row) && <Count value={row[`${kind}_tokens`]} />,
        value: (row) => (isCharge(row) ? row[`${kind}_tokens`] : ''),
      }),
    ),
    {
      key: 'cost',
      early: true,
      width: 88,
      title: t('log.cost'),
      align: 'right',
      render: (row) => (isCharge(row) || row.quota !== 0) && <Quota value={row.quota} digits={6} />,
      value: (row) => row.quota,
    },
  ]
}

function detailColumns(t: TFunction): TableColumn<KeyedRow>[] {
  return [
    {
      key: 'details',
      title: t('log.details'),
      width: 84,
      grow: true,
      rank: 3,
      render: (row) => {
        if (isEvent(row)) return ''
        const text = summaryText(t, row, readDetails(row.other))
        return (
          <span className="log-summary" title={text}>
            {text}
          </span>
        )
      },
      value: (row) => row.content,
    },
    {
      key: 'request',
      title: t('request.id'),
      hidden: true,
      render: (row) => row.request_id && <RequestLink id={row.request_id} />,
      value: (row) => row.request_id,
    },
    { key: 'error', title: t('log.row.error'), hidden: true, value: failureCodeText },
  ]
}

/** Shows a request's duration, its time to first token if known, and whether the reply was streamed. */
function Durations({ row }: { row: KeyedRow }) {
  const { t } = useTranslation()
  const { firstTokenMs } = readDetails(row.other)
  return (
    <span className="log-durations">
      <Tag size="small" color={durationColor(row.use_time)} className="number">
        {t('log.secondsShort', { seconds: row.use_time })}
      </Tag>
      {firstTokenMs !== undefined && (
        <Tag size="small" color={firstTokenColor(firstTokenMs)} className="number">
          {t('log.secondsShort', { seconds: inSeconds(firstTokenMs) })}
        </Tag>
      )}
      <span className="muted">{t(row.is_stream ? 'log.streamed' : 'log.notStreamed')}</span>
    </span>
  )
}

const AVATAR_PX = 20

/** A username, with its first letter as avatar. A click opens the user's details. */
function UserButton({ name, onClick }: { name: string; onClick: () => void }) {
  const { t } = useTranslation()
  return (
    <Button
      size="mini"
      type="text"
      className="log-user"
      aria-label={t('log.userInfo.open', { name })}
      onClick={onClick}
    >
      <Avatar size={AVATAR_PX} autoFixFontSize={false} className="log-avatar">
        {Array.from(name)[0]?.toUpperCase()}
      </Avatar>
      {name}
    </Button>
  )
}
