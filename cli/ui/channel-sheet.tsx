import { useCallback } from 'react'
import type { Channel } from '../../core/channels/channel.ts'
import type { OneChannelHealth } from '../../core/channels/health/schema.ts'
import type { Column } from '../column.ts'
import { CHANNEL_COLUMNS } from '../columns/channel.ts'
import { EVENT_COLUMNS, TROUBLE_COLUMNS, troublesOf } from '../columns/channel-health.ts'
import { printable } from '../printable.ts'
import { useDesk } from './desk.ts'
import { BLANK, Sheet, type SheetLine, useRecordLines } from './sheet.tsx'
import { useLoaded } from './use-loaded.ts'

/** All of a channel: its settings, what is wrong with it, and what has happened to it. */
export function ChannelSheet({ channel, onClose }: { channel: Channel; onClose(): void }) {
  const { toolkit, actor, say, text, format, pace } = useDesk()
  const linesOf = useRecordLines()
  const load = useCallback(async () => toolkit.channels.healthOf(actor, channel.id), [toolkit, actor, channel.id])
  const { data, error } = useLoaded(load, { everyMs: pace.slow })

  const joined = <T,>(row: T, columns: readonly Column<T>[]) =>
    printable(columns.map(({ value }) => value(row, format)).join('  '))
  function healthOf({ healthy, circuits, disabled, events }: OneChannelHealth): SheetLine[] {
    const troubles = troublesOf({ circuits, disabled: disabled ? [disabled] : [] })
    return [
      BLANK,
      { title: text('health'), text: healthy ? text('well') : text('not well'), tone: healthy ? 'good' : 'bad' },
      ...troubles.map((trouble) => ({ text: joined(trouble, TROUBLE_COLUMNS.slice(1)), tone: 'bad' as const })),
      BLANK,
      ...events.map((event, at) => ({
        ...(at === 0 && { title: text('history') }),
        text: joined(event, EVENT_COLUMNS),
        tone: EVENT_COLUMNS.find(({ tone }) => tone)?.tone?.(event),
      })),
    ]
  }
  const lines = [...linesOf(channel, CHANNEL_COLUMNS), ...(data ? healthOf(data) : [])]
  return <Sheet title={say`Channel ${channel.name}`} lines={lines} error={error} onClose={onClose} />
}
