import Alert from '@arco-design/web-react/es/Alert'
import Modal from '@arco-design/web-react/es/Modal'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import Timeline from '@arco-design/web-react/es/Timeline'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type Channel, type ChannelHealthReport, getHealth } from '../../api/channels.ts'
import { FrozenWhileClosed } from '../../components/form/frozen-while-closed.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { localTime } from '../../components/times.ts'
import type { Catalogue } from '../../language.ts'
import { circuitBadge } from './status.ts'

interface Props {
  channel: Pick<Channel, 'id' | 'name'> | undefined
  onClose: () => void
}

/** A dialog with the reason why a channel is disabled, the circuits that block it, and its events, newest first. */
export function HealthDialog({ channel, onClose }: Props) {
  const { t } = useTranslation()
  const open = channel !== undefined
  const { data, error, refetch } = useQuery({
    queryKey: ['channel', 'health', channel?.id],
    queryFn: ({ signal }) => getHealth(channel?.id ?? 0, signal),
    enabled: open,
  })
  return (
    <Modal
      title={
        <FrozenWhileClosed open={open}>
          <span>{t('channel.health.title', { name: channel?.name ?? '' })}</span>
        </FrozenWhileClosed>
      }
      visible={open}
      onCancel={onClose}
      footer={null}
      focusLock
      unmountOnExit
    >
      <FrozenWhileClosed open={open}>
        {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton animation />}
        {data && <Health health={data} />}
      </FrozenWhileClosed>
    </Modal>
  )
}

function Health({ health: { healthy, circuits, disabled, events } }: { health: ChannelHealthReport }) {
  const { t } = useTranslation()
  return (
    <div className="channel-health">
      {healthy && <Alert type="success" content={t('channel.health.well')} />}
      {disabled && (
        <Alert
          type="warning"
          content={t('channel.reason', {
            reason: disabled.reason || t('channel.state.disabled'),
            time: disabled.since > 0 ? localTime(disabled.since) : '–',
          })}
        />
      )}
      {circuits.length > 0 && (
        <>
          <h2>{t('channel.health.circuits')}</h2>
          <ul>
            {circuits.map((circuit) => (
              <li key={`${circuit.node_id} ${circuit.scope} ${circuit.subject}`}>{circuitBadge(t, circuit).hint}</li>
            ))}
          </ul>
        </>
      )}
      <h2>{t('channel.health.history')}</h2>
      {events.length === 0 && <p className="panel-note">{t('channel.health.none')}</p>}
      <Timeline>
        {events.map(({ id, created_at, event, subject, reason }) => (
          <Timeline.Item key={id} label={localTime(created_at)}>
            {[eventText(t, event), subject, reason].filter(Boolean).join(' · ')}
          </Timeline.Item>
        ))}
      </Timeline>
    </div>
  )
}

const EVENTS = [
  'opened',
  'closed',
  'disabled',
  'enabled',
  'key-disabled',
  'key-enabled',
] as const satisfies readonly (keyof Catalogue['channel']['health']['event'])[]

function eventText(t: TFunction, event: string): string {
  const knownEvent = EVENTS.find((name) => name === event)
  return knownEvent ? t(`channel.health.event.${knownEvent}`) : event
}
