import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { IconCheckCircleFill } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { FirstSteps } from '../../api/first-steps.ts'
import { getToken } from '../../api/tokens.ts'
import { KeyReady } from '../../components/key-ready/key-ready.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { PageFrame } from '../../components/page.tsx'
import { useSearchParams } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import './first-steps.css'
import { StepAction } from './step-action.tsx'
import { hideFirstSteps, useFirstSteps } from './use-first-steps.ts'

/** Polling interval, short so that the page soon shows that a step is completed. */
const REFRESH_MS = 3_000

/** The steps from a new account or gateway to the first request, and below them a key and settings for clients. */
export default function FirstStepsPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const { user } = useStore(session)
  const steps = useFirstSteps({ everyMs: REFRESH_MS, always: true })
  const requestedId = Number(query.get('token'))
  const tokenId = Number.isInteger(requestedId) && requestedId > 0 ? requestedId : (steps.data?.token_id ?? 0)
  const token = useQuery({
    queryKey: ['token', 'one', tokenId],
    queryFn: ({ signal }) => getToken(tokenId, signal),
    enabled: tokenId > 0,
  })
  const isDone = steps.data?.steps.every((step) => step.done)

  return (
    <PageFrame
      title={t('screen.start')}
      extra={
        user &&
        isDone === false &&
        !steps.isHidden && <Button onClick={() => hideFirstSteps(user.id)}>{t('start.hide')}</Button>
      }
    >
      {steps.isError && !steps.data && <LoadFailure error={steps.error} onRetry={() => void steps.refetch()} />}
      {steps.isPending && (
        <section className="panel">
          <Skeleton animation text={{ rows: 6 }} />
        </section>
      )}
      {steps.data && <StepList progress={steps.data} onDone={() => void steps.refetch()} />}
      {token.isError && tokenId > 0 && <LoadFailure error={token.error} onRetry={() => void token.refetch()} />}
      {token.data && (
        <section className="panel" aria-labelledby="key-ready">
          <h2 id="key-ready">{t('start.ready')}</h2>
          <KeyReady key={token.data.id} token={token.data} onReply={() => void steps.refetch()} />
        </section>
      )}
    </PageFrame>
  )
}

interface StepListProps {
  progress: FirstSteps
  /** Called when a step may have been completed. */
  onDone: () => void
}

/** The steps in order. Completed steps have a check mark, open steps a button. The first button is primary. */
function StepList({ progress, onDone }: StepListProps) {
  const { t } = useTranslation()
  const { steps } = progress
  const openSteps = steps.filter(({ done }) => !done)
  const nextName = openSteps[0]?.name
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">
        {openSteps.length === 0 ? t('start.allDone') : t('start.title', { count: openSteps.length })}
      </h2>
      <ol className="step-list">
        {steps.map(({ name, done }, index) => (
          <li key={name} className={done ? 'step-done' : name === nextName ? 'step-next' : 'step-later'}>
            <span className="step-mark" aria-hidden="true">
              {done ? <IconCheckCircleFill /> : index + 1}
            </span>
            <div className="step-text">
              <strong>{t(`start.step.${name}.title`)}</strong>
              <span className="step-state">{t(done ? 'component.taskDone' : 'start.open')}</span>
              {!done && <p>{t(`start.step.${name}.hint`)}</p>}
            </div>
            {!done && <StepAction name={name} progress={progress} isNext={name === nextName} onDone={onDone} />}
          </li>
        ))}
      </ol>
    </section>
  )
}
