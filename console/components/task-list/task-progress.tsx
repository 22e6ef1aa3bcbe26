import Progress from '@arco-design/web-react/es/Progress'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

/** Shows a progress bar. `progress` is a percentage as text, for example `42%`. */
export function TaskProgress({ progress, status }: { progress: string; status: string }) {
  const { t } = useTranslation()
  const holder = useRef<HTMLDivElement>(null)
  const percent = Math.min(100, Math.max(0, Number.parseFloat(progress) || 0))
  // Arco does not pass a label to the bar.
  useLayoutEffect(() => {
    holder.current?.querySelector('[role="progressbar"]')?.setAttribute('aria-label', t('task.progress'))
  }, [t])
  return (
    <div ref={holder} className="task-progress">
      <Progress
        size="small"
        percent={percent}
        status={status === 'FAILURE' ? 'error' : status === 'SUCCESS' ? 'success' : 'normal'}
      />
    </div>
  )
}
