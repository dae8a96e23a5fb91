/* Built by make components from the folders beside this one: edit those. */
var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node};var find=(root,selector,kind)=>{let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(
`No ${kind?.name??"node"} at ${selector}.`);return node};var draw=(tag,attributes,text)=>{let node=document.createElementNS("http://www.w3.org/2000/svg",tag);for(let[name,value]of Object.
entries(attributes))node.setAttribute(name,String(value));return text!==void 0&&(node.textContent=text),node},line=(x1,x2,y1,y2,ink)=>draw(
"line",{x1,x2,y1,y2,stroke:"currentColor",...ink}),forestPlot=plot=>{let label="ticks"in plot?"scale":`interval from ${plot.
low} to ${plot.high}`,svg=draw("svg",{role:"img","aria-label":label}),at=value=>`${(100*(value-plot.from)/(plot.to-plot.
from)).toFixed(2)}%`;return svg.append(..."ticks"in plot?drawAxis(plot,at):drawInterval(plot,at)),svg},drawAxis=({ticks,
is_plain},at)=>[line("0%","100%",20,20,{opacity:.6}),...ticks.flatMap(tick=>{let place={x:at(tick),y:12,"text-anchor":"m\
iddle","font-size":11,"font-weight":400,fill:"currentColor"},text=tick>0&&!is_plain?`+${tick}`:String(tick).replace("-",
"−");return[line(at(tick),at(tick),17,20,{opacity:.6}),draw("text",place,text)]})],drawInterval=({low,mid,high,holds},at)=>{
let parts=[line(at(0),at(0),-8,32,{opacity:.45,"stroke-dasharray":"3 3"})];if(low!==null&&high!==null){let ink=holds?{stroke:"\
var(--st-primary-color)","stroke-width":2.4}:{opacity:.65,"stroke-width":1.6};parts.push(line(at(low),at(high),12,12,ink),
...[low,high].map(end=>line(at(end),at(end),8,16,ink)))}let fill=holds?"var(--st-primary-color)":"var(--st-background-co\
lor)",stroke=holds?"var(--st-primary-color)":"currentColor";return[...parts,draw("circle",{cx:at(mid),cy:12,r:4.2,fill,stroke,
"stroke-width":1.6})]};var WARM="#c4622d",DARKEST_PERCENT=58,ARROWS={low:" ↑",high:" ↓"},colour=(heat,isDiverging=!1)=>`color-mix(in oklab,\
 ${isDiverging&&heat<0?WARM:"var(--st-primary-color)"} ${Math.round(Math.abs(heat)*DARKEST_PERCENT)}%, var(--st-backgrou\
nd-color))`,writeName=(node,text)=>{for(let part of text.split(/(?<=[_.])|(?=@)/))node.append(part,document.createElement(
"wbr"))},drawHead=(column,press)=>{let head=el("th",column.align??"");if(column.width&&(head.style.width=column.width,column.
width.endsWith("rem")&&(head.style.minWidth=column.width)),column.help&&(head.title=column.help),column.axis)head.append(
forestPlot(column.axis));else if(column.go){let sort=Object.assign(el("button"),{type:"button",onclick:()=>press(column.
go)});writeName(sort,column.label+(column.sorted?ARROWS[column.sorted]:"")),head.append(sort),head.ariaSort=column.sorted===
"low"?"ascending":column.sorted?"descending":"none"}else writeName(head,column.label);return head},drawCell=(cell,column,table,press)=>{
let node=el("td",column.align??"");cell.help&&(node.title=cell.help),cell.heat!==void 0&&(node.dataset.heat="",cell.heat===
null?node.classList.add("none"):node.style.background=colour(cell.heat,table.legend?.diverging));let inside=node;if(cell.
go&&(inside=Object.assign(el("a"),{href:cell.href||"#",onclick:event=>{event.ctrlKey||event.metaKey||event.shiftKey||(event.
preventDefault(),press(cell.go))}}),node.append(inside)),cell.forest)inside.append(forestPlot(cell.forest));else{let names=[
"main",cell.clamp?"clamp":cell.lines?"lines":"word",cell.mark,cell.whole&&"whole",cell.muted&&"muted"],text=el("span",names.
filter(Boolean).join(" "),cell.text);cell.clamp&&(text.dir="auto"),inside.append(text)}return cell.sub&&inside.append(el(
"span","sub",cell.sub)),node},drawRow=(row,table,press)=>{if(row.group===void 0){let line3=el("tr","row");return line3.append(
...row.cells.map((cell,i)=>drawCell(cell,table.columns[i],table,press))),line3}let line2=el("tr","group");return line2.append(
Object.assign(el("td","",row.group),{colSpan:table.columns.length})),line2},drawLegend=({low,high,text,diverging})=>{let line2=el(
"div","legend"),bar=el("span","bar"),ends=[diverging?colour(-1,!0):colour(0),colour(0),colour(1)];return bar.style.background=
`linear-gradient(to right, ${ends.join(", ")})`,line2.append(el("span","",low),bar,el("span","",high),el("span","",text)),
line2},paper_table_default=({data,parentElement,setTriggerValue})=>{let table=data,press=go=>setTriggerValue("go",go),node=el(
"table",table.shape);table.shape==="fixed"&&(node.style.minWidth=`calc(${table.columns.map(column=>column.width??"").join(
" + ")})`),table.caption&&node.append(el("caption","",table.caption));let head=el("tr");head.append(...table.columns.map(
column=>drawHead(column,press)));let[top,body,notes]=[el("thead"),el("tbody"),el("div","notes")];top.append(head),body.append(
...table.rows.map(row=>drawRow(row,table,press))),node.append(top,body),notes.append(...table.notes.map(note=>el("p","",
note))),find(parentElement,".scroll").replaceChildren(node,...table.legend?[drawLegend(table.legend)]:[],notes)};export{paper_table_default as default};
