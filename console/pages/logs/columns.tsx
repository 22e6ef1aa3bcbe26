import Button from '@arco-design/web-react/es/Button'
import Tag from '@arco-design/web-react/es/Tag'
import type { TFunction } from 'i18next'
import { LOG_TYPE } from '../../api/logs.ts'
import { Count } from '../../components/count.tsx'
import type { Column } from '../../components/data-table/column.ts'
import { DateTime } from '../../components/date-time.tsx'
import { LogType } from '../../components/log-type.tsx'
import { Quota } from '../../components/quota.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { isoTime } from '../../components/times.ts'
import { channelColor } from './channel-color.ts'
import { Durations } from './durations.tsx'
import { readDetails } from './log-details.ts'
import { summaryText } from './price-text.ts'
import type { KeyedRow } from './use-logs.ts'
import { UserButton } from './user-button.tsx'

interface LogActs {
  onCopy: (text: string) => void
  onUser: (row: KeyedRow) => void
}

export const isCharge = ({ type }: Pick<KeyedRow, 'type'>): boolean => type === LOG_TYPE.consume

/** Administrators see who asked, and which channels were tried. */
export function logColumns(t: TFunction, { onCopy, onUser }: LogActs, everybody: boolean): Column<KeyedRow>[] {
  const forAdmins = (columns: Column<KeyedRow>[]) => (everybody ? columns : [])
  return [
    {
      key: 'time',
      early: true,
      title: t('log.time'),
      render: (row) => <DateTime seconds={row.created_at} />,
      value: (row) => isoTime(row.created_at),
    },
    ...forAdmins([
      {
        key: 'channel',
        title: t('log.channel'),
        wideOnly: true,
        render: (row) =>
          row.channel > 0 && (
            <StatusTag text={String(row.channel)} color={channelColor(row.channel)} hint={row.channel_name} />
          ),
        value: (row) => row.channel || '',
      },
      {
        key: 'user',
        title: t('log.user'),
        render: (row) => row.user_id > 0 && <UserButton name={row.username} onClick={() => onUser(row)} />,
        value: (row) => row.username,
      },
    ]),
    {
      key: 'token',
      title: t('log.token'),
      wideOnly: true,
      render: ({ token_name }) =>
        token_name && (
          <Button
            size="mini"
            className="log-copy"
            aria-label={t('log.copyToken', { name: token_name })}
            onClick={() => onCopy(token_name)}
          >
            {token_name}
          </Button>
        ),
      value: (row) => row.token_name,
    },
    {
      key: 'group',
      title: t('log.group'),
      wideOnly: true,
      render: (row) => row.group && <Tag size="small">{row.group}</Tag>,
      value: (row) => row.group,
    },
    {
      key: 'type',
      title: t('log.kind'),
      render: (row) => <LogType type={row.type} />,
      value: (row) => row.type,
    },
    {
      key: 'model',
      early: true,
      title: t('log.model'),
      render: (row) => {
        const { upstreamModel } = readDetails(row.other)
        return (
          row.model_name && (
            <>
              <Button
                size="mini"
                className="log-copy"
                aria-label={t('log.copyModel', { name: row.model_name })}
                onClick={() => onCopy(row.model_name)}
              >
                {row.model_name}
              </Button>
              {upstreamModel && <div className="log-note">{t('log.mappedTo', { model: upstreamModel })}</div>}
            </>
          )
        )
      },
      value: (row) => row.model_name,
    },
    {
      key: 'duration',
      title: t('log.duration'),
      wideOnly: true,
      render: (row) => isCharge(row) && <Durations row={row} />,
      value: (row) => (isCharge(row) ? row.use_time : ''),
    },
    {
      key: 'prompt',
      title: t('log.prompt'),
      align: 'right',
      wideOnly: true,
      render: (row) => isCharge(row) && <Count value={row.prompt_tokens} />,
      value: (row) => (isCharge(row) ? row.prompt_tokens : ''),
    },
    {
      key: 'completion',
      title: t('log.completion'),
      align: 'right',
      wideOnly: true,
      render: (row) => isCharge(row) && <Count value={row.completion_tokens} />,
      value: (row) => (isCharge(row) ? row.completion_tokens : ''),
    },
    {
      key: 'cost',
      early: true,
      title: t('log.cost'),
      align: 'right',
      render: (row) => (isCharge(row) || row.quota !== 0) && <Quota value={row.quota} />,
      value: (row) => row.quota,
    },
    ...forAdmins([
      {
        key: 'retry',
        title: t('log.retry'),
        wideOnly: true,
        render: (row) => retryText(t, row),
        value: (row) => readDetails(row.other).triedChannels.join('->'),
      },
    ]),
    {
      key: 'details',
      title: t('log.details'),
      wideOnly: true,
      render: (row) => {
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
      title: t('log.row.request'),
      hidden: true,
      render: (row) => row.request_id && <code>{row.request_id}</code>,
      value: (row) => row.request_id,
    },
  ]
}

export function retryText(t: TFunction, { other }: Pick<KeyedRow, 'other'>): string {
  const { triedChannels } = readDetails(other)
  return triedChannels.length > 0 ? t('log.tried', { channels: triedChannels.join('->') }) : ''
}
