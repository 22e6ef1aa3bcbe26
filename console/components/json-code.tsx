import Button from '@arco-design/web-react/es/Button'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { syntaxHighlighting } from '@codemirror/language'
import { linter } from '@codemirror/lint'
import { classHighlighter } from '@lezer/highlight'
import CodeMirror, { EditorView, type Extension } from '@uiw/react-codemirror'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonEditorProps } from './json-editor.tsx'
import { formatJson, isJson } from './json-text.ts'

/** The editor with colors and error marks. `JsonEditor` loads it on demand. */
export default function JsonCode({
  value = '',
  onChange,
  onBlur,
  id,
  placeholder,
  readOnly,
  disabled,
  error,
  ...names
}: JsonEditorProps) {
  const { t } = useTranslation()
  const [view, setView] = useState<EditorView>()
  const labelId = useLabel(id, view)
  const label = names['aria-label']
  const labelledBy = names['aria-labelledby'] ?? (label ? undefined : labelId)
  const invalid = names['aria-invalid'] ?? error ?? false
  const describedBy = names['aria-describedby']
  const locked = readOnly || disabled || false
  const extensions = useMemo(
    () => [
      ...EXTENSIONS,
      withAttributes({
        id,
        tabindex: '0',
        'aria-label': label,
        'aria-labelledby': labelledBy,
        'aria-describedby': describedBy,
        'aria-invalid': String(invalid),
      }),
    ],
    [id, label, labelledBy, describedBy, invalid],
  )
  return (
    <div
      className={['json-editor', error && 'json-editor-error', disabled && 'json-editor-disabled']
        .filter(Boolean)
        .join(' ')}
    >
      <CodeMirror
        value={value}
        extensions={extensions}
        theme="none"
        indentWithTab={false}
        basicSetup={SETUP}
        readOnly={locked}
        editable={!disabled}
        {...(onChange && { onChange: (text: string) => onChange(text) })}
        {...(onBlur && { onBlur: () => onBlur() })}
        {...(placeholder && { placeholder })}
        onCreateEditor={setView}
      />
      {!locked && (
        <Button
          className="json-editor-format"
          size="mini"
          disabled={!isJson(value)}
          onClick={() => onChange?.(formatJson(value) ?? value)}
        >
          {t('component.format')}
        </Button>
      )}
    </div>
  )
}

/** Turns off editor features that capture keys of the page or are not useful for JSON. */
const SETUP = {
  autocompletion: false,
  allowMultipleSelections: false,
  completionKeymap: false,
  crosshairCursor: false,
  drawSelection: false,
  foldGutter: false,
  foldKeymap: false,
  highlightActiveLine: false,
  highlightActiveLineGutter: false,
  highlightSelectionMatches: false,
  lintKeymap: false,
  rectangularSelection: false,
  searchKeymap: false,
  syntaxHighlighting: false,
}

const parse = jsonParseLinter()

const EXTENSIONS: Extension[] = [
  json(),
  // An empty text is valid JSON input here. The form decides whether the field is required.
  linter((view) => (view.state.doc.toString().trim() === '' ? [] : parse(view))),
  EditorView.lineWrapping,
  // Uses CSS classes, so that colors come from the style sheet and follow the theme.
  syntaxHighlighting(classHighlighter),
]

function withAttributes(attributes: Record<string, string | undefined>): Extension {
  const nonEmpty = Object.entries(attributes).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return EditorView.contentAttributes.of(Object.fromEntries(nonEmpty))
}

/**
 * Makes a click on the field's label focus the editor, because HTML labels work only with native inputs. Returns the
 * label's id for `aria-labelledby`; undefined if there is no label.
 */
function useLabel(id: string | undefined, view: EditorView | undefined): string | undefined {
  const [labelId, setLabelId] = useState<string>()
  useEffect(() => {
    const label = id && document.querySelector(`label[for="${CSS.escape(id)}"]`)
    if (!label || !view) return
    label.id ||= `${id}_label`
    setLabelId(label.id)
    const focus = () => view.focus()
    label.addEventListener('click', focus)
    return () => label.removeEventListener('click', focus)
  }, [id, view])
  return labelId
}
