import { IconCheckCircleFill } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import type { FirstSteps } from '../../api/first-steps.ts'
import { StepAction } from './step-action.tsx'

interface Props {
  progress: FirstSteps
  /** Called when a step may have been completed. */
  onDone: () => void
}

/** The steps in order. Completed steps have a check mark. Open steps have a button, which is primary for the first open step. */
export function StepList({ progress, onDone }: Props) {
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
              <span className="step-state">{t(done ? 'start.done' : 'start.open')}</span>
              {!done && <p>{t(`start.step.${name}.hint`)}</p>}
            </div>
            {!done && <StepAction name={name} progress={progress} isNext={name === nextName} onDone={onDone} />}
          </li>
        ))}
      </ol>
    </section>
  )
}
