import Button from '@arco-design/web-react/es/Button'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import './code-block.css'
import { useCopy } from './copy.tsx'

/** A code block with a copy button. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const code = useRef<HTMLPreElement>(null)
  return (
    <div className="code-block">
      <div className="code-block-bar">
        <Button
          className="code-block-copy"
          size="mini"
          aria-label={t('component.copyCode')}
          onClick={() => void copy((code.current?.textContent ?? '').replace(/\n$/, ''))}
        >
          {t('action.copy')}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard. */}
      <pre ref={code} tabIndex={0}>
        {children}
      </pre>
    </div>
  )
}
