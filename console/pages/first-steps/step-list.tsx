import { IconCheckCircleFill } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import type { FirstSteps } from '../../api/first-steps.ts'
import { StepAction } from './step-action.tsx'

interface Props {
  progress: FirstSteps
  /** Called when a step may have been completed. */
  onDone: () => void
}

/** The steps in order. Completed steps are checked off; the first open step has its button. */
export function StepList({ progress, onDone }: Props) {
  const { t } = useTranslation()
  const { steps } = progress
  const left = steps.filter(({ done }) => !done)
  const next = left[0]?.name
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">{left.length === 0 ? t('start.allDone') : t('start.title', { count: left.length })}</h2>
      <ol className="step-list">
        {steps.map(({ name, done }, index) => (
          <li key={name} className={done ? 'step-done' : name === next ? 'step-next' : 'step-later'}>
            <span className="step-mark" aria-hidden="true">
              {done ? <IconCheckCircleFill /> : index + 1}
            </span>
            <div className="step-text">
              <strong>{t(`start.step.${name}.title`)}</strong>
              <span className="step-state">{t(done ? 'start.done' : 'start.open')}</span>
              {!done && <p>{t(`start.step.${name}.hint`)}</p>}
            </div>
            {!done && <StepAction name={name} progress={progress} isNext={name === next} onDone={onDone} />}
          </li>
        ))}
      </ol>
    </section>
  )
}
