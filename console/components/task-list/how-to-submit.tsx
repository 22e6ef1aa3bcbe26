import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { useBaseAddress } from '../base-address.ts'
import { useCopy } from '../copy.tsx'
import { EmptyState } from '../empty-state.tsx'

export interface SubmissionExample {
  title: string
  hint: string
  /** Path of the call, which follows the gateway's address. */
  path: string
  body: string
}

/** Replaces an empty list of tasks. Shows the call that submits a task, with a button that copies it. */
export function HowToSubmit({ title, hint, path, body }: SubmissionExample) {
  const { t } = useTranslation()
  const copy = useCopy()
  const address = useBaseAddress()
  const command = `curl ${address}${path} \\\n  -H "Authorization: Bearer sk-…" \\\n  -H "Content-Type: application/json" \\\n  -d '${body}'`
  return (
    <EmptyState
      title={title}
      hint={hint}
      action={
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
          <pre className="sample-call" tabIndex={0}>
            {command}
          </pre>
          <Button onClick={() => void copy(command)}>{t('action.copy')}</Button>
        </>
      }
    />
  )
}
