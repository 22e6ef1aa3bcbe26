import Input from '@arco-design/web-react/es/Input'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { lazy, Suspense } from 'react'
import './json-editor.css'

export interface JsonEditorProps {
  value?: string
  onChange?: (text: string) => void
  onBlur?: () => void
  /** The field's id, so that its label names and focuses the editor. */
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  placeholder?: string
  readOnly?: boolean
  disabled?: boolean
  /** Set by the form item while the value is invalid. */
  error?: boolean
}

// After a gateway update the editor's code may be missing; the page must not lose typed text then.
const JsonCode = lazy(() => import('./json-code.tsx').catch(() => ({ default: PlainJson })))

/** A form control for JSON text with colors and error marks. Tab leaves it. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<JsonLoading />}>
      <JsonCode {...props} />
    </Suspense>
  )
}

/** A JSON input without colors and error marks. */
function PlainJson({ value = '', error, ...props }: JsonEditorProps) {
  return (
    <Input.TextArea
      {...props}
      {...(error && { status: 'error' as const })}
      className="json-plain"
      value={value}
      autoSize={{ minRows: 4, maxRows: 20 }}
      spellCheck={false}
    />
  )
}

/** Placeholder while the editor loads. */
export function JsonLoading() {
  return <Skeleton className="json-editor-loading" animation text={{ rows: 4, width: '100%' }} />
}
