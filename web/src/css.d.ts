// Style sheets of libraries, bundled as text: import text from "....css" with { type: "text" }.
declare module "*.css" {
  const text: string;
  export default text;
}
