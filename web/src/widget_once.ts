// Before the components: a notebook runs this file once for each widget, and a browser defines an element only once.
const { define } = customElements;

customElements.define = (name, kind, options) => {
  if (!customElements.get(name)) define.call(customElements, name, kind, options);
};

/** The registry is again as it was. */
export const restore = (): void => {
  customElements.define = define;
};
