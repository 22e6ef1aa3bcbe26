import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { testChannel } from '../../api/channels.ts'
import type { FirstSteps, StepName } from '../../api/first-steps.ts'
import { saveOption } from '../../api/options.ts'
import { createToken } from '../../api/tokens.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { useAction } from '../../components/saving.ts'

interface Props {
  name: StepName
  progress: FirstSteps
  isNext: boolean
  onDone: () => void
}

/** A button that performs a step, or a link to the page of the step. The step `request` has neither button nor link. */
export function StepAction({ name, progress, isNext, onDone }: Props) {
  const { t } = useTranslation()
  const type = isNext ? 'primary' : 'secondary'
  const testAction = useAction({
    run: () => testChannel({ id: progress.channel_id }),
    done: t('start.tested'),
    stale: ['channel'],
    after: onDone,
  })
  const createKeyAction = useAction({
    run: () => createToken({ name: t('start.keyName'), unlimited_quota: true }),
    stale: ['token'],
    after: onDone,
  })
  const saveAction = useAction({ run: saveOption, done: t('action.done'), stale: ['option', 'status'], after: onDone })
  switch (name) {
    case 'channel':
      return (
        <LinkButton type={type} to="/channel/add">
          {t('start.step.channel.act')}
        </LinkButton>
      )
    case 'test':
      return (
        <Button
          type={type}
          disabled={progress.channel_id === 0}
          loading={testAction.isPending}
          onClick={() => testAction.mutate()}
        >
          {t('start.step.test.act')}
        </Button>
      )
    case 'price':
      return (
        <div className="step-price">
          {progress.unpriced_models.length > 0 && <code>{progress.unpriced_models.join(', ')}</code>}
          <LinkButton type={type} to="/setting?tab=operation" disabled={progress.channel_id === 0}>
            {t('start.step.price.act')}
          </LinkButton>
        </div>
      )
    case 'key':
      return (
        <Button type={type} loading={createKeyAction.isPending} onClick={() => createKeyAction.mutate()}>
          {t('team.addKey')}
        </Button>
      )
    case 'retries':
      return (
        <Button
          type={type}
          loading={saveAction.isPending}
          onClick={() => saveAction.mutate({ key: 'RetryTimes', value: '2' })}
        >
          {t('start.step.retries.act')}
        </Button>
      )
    case 'address':
      return (
        <Button
          type={type}
          loading={saveAction.isPending}
          onClick={() => saveAction.mutate({ key: 'ServerAddress', value: window.location.origin })}
        >
          {t('start.step.address.act', { address: window.location.origin })}
        </Button>
      )
    case 'request':
      return null
  }
}
