/* Built by make components from the folders beside this one: edit those. */
var SIGNS_OF_LIFE=["keydown","mousemove","pointerdown","wheel","scroll","touchmove"],ActiveTime=class{constructor(){this.
total=0,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible",this.alive=()=>{this.settle(),
this.life=performance.now()},this.turned=()=>{this.settle(),document.visibilityState==="visible"&&(this.life=performance.
now())};for(let kind of SIGNS_OF_LIFE)window.addEventListener(kind,this.alive,{capture:!0,passive:!0});document.addEventListener(
"visibilitychange",this.turned,!0)}get isActive(){return document.visibilityState==="visible"&&performance.now()-this.life<=
6e4}settle(){let now=performance.now(),counted=Math.min(now,this.life+6e4)-this.mark;this.seen&&counted>0&&(this.total+=
counted),this.mark=now,this.seen=document.visibilityState==="visible"}start(seconds=0){this.total=Math.max(0,Number(seconds)||
0)*1e3,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible"}get seconds(){return this.settle(),
Math.round(this.total/100)/10}stop(){for(let kind of SIGNS_OF_LIFE)window.removeEventListener(kind,this.alive,{capture:!0});
document.removeEventListener("visibilitychange",this.turned,!0)}};var overStorage=open=>({get(key){try{return JSON.parse(open().getItem(key)??"null")}catch{return null}},set(key,value){try{
return open().setItem(key,JSON.stringify(value)),!0}catch{return!1}},drop(key){try{open().removeItem(key)}catch{return}},
keys(prefix){try{return Object.keys(open()).filter(key=>key.startsWith(prefix))}catch{return[]}}}),memory=overStorage(()=>localStorage),
tabMemory=overStorage(()=>sessionStorage);var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}},onLeave=leave=>{let hidden=()=>{document.visibilityState==="hidden"&&leave()};return document.addEventListener(
"visibilitychange",hidden),window.addEventListener("pagehide",leave),()=>{document.removeEventListener("visibilitychange",
hidden),window.removeEventListener("pagehide",leave)}};var Diff=class{diff(oldStr,newStr,options={}){let callback;typeof options=="function"?(callback=options,options={}):"cal\
lback"in options&&(callback=options.callback);let oldString=this.castInput(oldStr,options),newString=this.castInput(newStr,
options),oldTokens=this.removeEmpty(this.tokenize(oldString,options)),newTokens=this.removeEmpty(this.tokenize(newString,
options));return this.diffWithOptionsObj(oldTokens,newTokens,options,callback)}diffWithOptionsObj(oldTokens,newTokens,options,callback){
var _a;let done=value=>{if(value=this.postProcess(value,options),callback){setTimeout(function(){callback(value)},0);return}else
return value},newLen=newTokens.length,oldLen=oldTokens.length,editLength=1,maxEditLength=newLen+oldLen;options.maxEditLength!=
null&&(maxEditLength=Math.min(maxEditLength,options.maxEditLength));let maxExecutionTime=(_a=options.timeout)!==null&&_a!==
void 0?_a:1/0,abortAfterTimestamp=Date.now()+maxExecutionTime,bestPath=[{oldPos:-1,lastComponent:void 0}],newPos=this.extractCommon(
bestPath[0],newTokens,oldTokens,0,options);if(bestPath[0].oldPos+1>=oldLen&&newPos+1>=newLen)return done(this.buildValues(
bestPath[0].lastComponent,newTokens,oldTokens));let minDiagonalToConsider=-1/0,maxDiagonalToConsider=1/0,execEditLength=()=>{
for(let diagonalPath=Math.max(minDiagonalToConsider,-editLength);diagonalPath<=Math.min(maxDiagonalToConsider,editLength);diagonalPath+=
2){let basePath,removePath=bestPath[diagonalPath-1],addPath=bestPath[diagonalPath+1];removePath&&(bestPath[diagonalPath-
1]=void 0);let canAdd=!1;if(addPath){let addPathNewPos=addPath.oldPos-diagonalPath;canAdd=addPath&&0<=addPathNewPos&&addPathNewPos<
newLen}let canRemove=removePath&&removePath.oldPos+1<oldLen;if(!canAdd&&!canRemove){bestPath[diagonalPath]=void 0;continue}
if(!canRemove||canAdd&&removePath.oldPos<addPath.oldPos?basePath=this.addToPath(addPath,!0,!1,0,options):basePath=this.addToPath(
removePath,!1,!0,1,options),newPos=this.extractCommon(basePath,newTokens,oldTokens,diagonalPath,options),basePath.oldPos+
1>=oldLen&&newPos+1>=newLen)return done(this.buildValues(basePath.lastComponent,newTokens,oldTokens))||!0;bestPath[diagonalPath]=
basePath,basePath.oldPos+1>=oldLen&&(maxDiagonalToConsider=Math.min(maxDiagonalToConsider,diagonalPath-1)),newPos+1>=newLen&&
(minDiagonalToConsider=Math.max(minDiagonalToConsider,diagonalPath+1))}editLength++};if(callback)(function exec(){setTimeout(
function(){if(editLength>maxEditLength||Date.now()>abortAfterTimestamp)return callback(void 0);execEditLength()||exec()},
0)})();else for(;editLength<=maxEditLength&&Date.now()<=abortAfterTimestamp;){let ret=execEditLength();if(ret)return ret}}addToPath(path,added,removed,oldPosInc,options){
let last=path.lastComponent;return last&&!options.oneChangePerToken&&last.added===added&&last.removed===removed?{oldPos:path.
oldPos+oldPosInc,lastComponent:{count:last.count+1,added,removed,previousComponent:last.previousComponent}}:{oldPos:path.
oldPos+oldPosInc,lastComponent:{count:1,added,removed,previousComponent:last}}}extractCommon(basePath,newTokens,oldTokens,diagonalPath,options){
let newLen=newTokens.length,oldLen=oldTokens.length,oldPos=basePath.oldPos,newPos=oldPos-diagonalPath,commonCount=0;for(;newPos+
1<newLen&&oldPos+1<oldLen&&this.equals(oldTokens[oldPos+1],newTokens[newPos+1],options);)newPos++,oldPos++,commonCount++,
options.oneChangePerToken&&(basePath.lastComponent={count:1,previousComponent:basePath.lastComponent,added:!1,removed:!1});
return commonCount&&!options.oneChangePerToken&&(basePath.lastComponent={count:commonCount,previousComponent:basePath.lastComponent,
added:!1,removed:!1}),basePath.oldPos=oldPos,newPos}equals(left,right,options){return options.comparator?options.comparator(
left,right):left===right||!!options.ignoreCase&&left.toLowerCase()===right.toLowerCase()}removeEmpty(array){let ret=[];for(let i=0;i<
array.length;i++)array[i]&&ret.push(array[i]);return ret}castInput(value,options){return value}tokenize(value,options){return Array.
from(value)}join(chars){return chars.join("")}postProcess(changeObjects,options){return changeObjects}get useLongestToken(){
return!1}buildValues(lastComponent,newTokens,oldTokens){let components=[],nextComponent;for(;lastComponent;)components.push(
lastComponent),nextComponent=lastComponent.previousComponent,delete lastComponent.previousComponent,lastComponent=nextComponent;
components.reverse();let componentLen=components.length,componentPos=0,newPos=0,oldPos=0;for(;componentPos<componentLen;componentPos++){
let component=components[componentPos];if(component.removed)component.value=this.join(oldTokens.slice(oldPos,oldPos+component.
count)),oldPos+=component.count;else{if(!component.added&&this.useLongestToken){let value=newTokens.slice(newPos,newPos+
component.count);value=value.map(function(value2,i){let oldValue=oldTokens[oldPos+i];return oldValue.length>value2.length?
oldValue:value2}),component.value=this.join(value)}else component.value=this.join(newTokens.slice(newPos,newPos+component.
count));newPos+=component.count,component.added||(oldPos+=component.count)}}return components}};var ArrayDiff=class extends Diff{tokenize(value){return value.slice()}join(value){return value}removeEmpty(value){return value}},
arrayDiff=new ArrayDiff;function diffArrays(oldArr,newArr,options){return arrayDiff.diff(oldArr,newArr,options)}var WORDS=/\p{Script=Han}\p{M}*|[\p{L}\p{N}][\p{L}\p{N}\p{M}'\u2019_-]*|\s+|\p{Extended_Pictographic}[\p{M}\ufe0f\u200d\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}]*|./gsu,
TOO_LONG=2e5,TOO_MANY_CHANGES=800,LONGEST_WORD=100,tokens=text=>(text.match(WORDS)??[]).flatMap(word=>/^\p{Script=Han}/u.
test(word)?[word]:word.split(/(?=\p{Script=Han})/u)),wordDiff=(before,after)=>{let[from,to]=sameEnds(before,after),[gone,
fresh]=[before.slice(from,before.length-to),after.slice(from,after.length-to)],middle=(gone.length+fresh.length<=TOO_LONG?
diffArrays(tokens(gone),tokens(fresh),{maxEditLength:TOO_MANY_CHANGES}):void 0)?.map(({added,removed,value})=>[removed?"\
gone":added?"new":"same",value.join("")])??[["gone",gone],["new",fresh]];return joined([["same",before.slice(0,from)],...middle,
["same",before.slice(before.length-to)]])},sameEnds=(before,after)=>{let shorter=Math.min(before.length,after.length),from=0;
for(;from<shorter&&before[from]===after[from];)from++;let to=0;for(;to<shorter-from&&before[before.length-1-to]===after[after.
length-1-to];)to++;let blank=at=>/\s/.test(before[at]??" ");for(let n=0;n<LONGEST_WORD&&from>0&&!blank(from-1);n++)from--;
for(let n=0;n<LONGEST_WORD&&to>0&&!blank(before.length-to);n++)to--;let splits=at=>/[\udc00-\udfff]/.test(before[at]??"");
return[from&&splits(from)?from-1:from,to&&splits(before.length-to)?to-1:to]},joined=parts=>{let out=[],gone="",fresh="",
flush=()=>{gone&&out.push(["gone",gone]),fresh&&out.push(["new",fresh]),gone="",fresh=""},filled=parts.filter(([,text])=>text);
return filled.forEach(([kind,text],n)=>{if(kind==="gone")gone+=text;else if(kind==="new")fresh+=text;else if(/^ $/.test(
text)&&(gone||fresh)&&n+1<filled.length&&filled[n+1][0]!=="same")gone+=text,fresh+=text;else{flush();let last=out.at(-1);
last?.[0]==="same"?last[1]+=text:out.push(["same",text])}}),flush(),out};var LANGUAGE_NAMES={en:"English",zh:"Chinese"};var NAMES={173:"soft hyphen",1564:"ALM",6158:"MVS",8203:"zero width space",8204:"ZWNJ",8205:"ZWJ",8206:"LRM",8207:"RLM",
8232:"line separator",8233:"paragraph separator",8234:"LRE",8235:"RLE",8236:"PDF",8237:"LRO",8238:"RLO",8288:"word joine\
r",8294:"LRI",8295:"RLI",8296:"FSI",8297:"PDI",65279:"BOM"},UNSEEN=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
JOINS=/(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Sinhala})$/u,
TURNS=/[\u202a-\u202e\u2066-\u2069]/,nameOf=character=>{let code=character.codePointAt(0)??0;return NAMES[code]??`U+${code.
toString(16).toUpperCase().padStart(4,"0")}`},unseen=text=>{let found=[];for(let match of text.matchAll(UNSEEN))(!(match[0]===
"‍"||match[0]==="‌")||!JOINS.test(text.slice(Math.max(0,match.index-2),match.index)))&&found.push([match.index,match[0]]);
return found},turnsText=character=>TURNS.test(character),unseenNote=text=>{let names=[...new Set(unseen(text).map(([,character])=>nameOf(
character)))];return names.length?`This text contains invisible characters: ${names.join(", ")}`:""},clock=(when,seconds=!0)=>{
let at=new Date(when),two=n=>String(n).padStart(2,"0");return Number.isNaN(at.valueOf())?"earlier":[at.getHours(),at.getMinutes(),
...seconds?[at.getSeconds()]:[]].map(two).join(":")};var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node},button=(name="",text="")=>Object.assign(el("button",name,text),{type:"button"}),find=(root,selector,kind)=>{
let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(`No ${kind?.name??"node"}\
 at ${selector}.`);return node},finder=root=>(name,kind)=>find(root,`.${name}`,kind),findAll=(root,selector,_kind)=>[...root.
querySelectorAll(selector)];var write=(node,text)=>{let at=0;for(let[index,character]of unseen(text)){index>at&&node.append(text.slice(at,index));let ghost=el(
"span",turnsText(character)?"ghost turn":"ghost",character);ghost.dataset.name=nameOf(character),ghost.title=`An unseen \
character: ${nameOf(character)}`,node.append(ghost),at=index+character.length}return at<text.length&&node.append(at?text.
slice(at):text),node},foreign=(tag,name,text)=>{let node=el(tag,`${name} foreign`);return node.dir="auto",write(node,text)};var MAX_SHOWN=1200,differenceLine=(name,before,after,most=MAX_SHOWN)=>{let line=el("p","diff-line foreign");line.dir="au\
to",line.append(el("span","faint diff-name",`${name} `));for(let[kind,text]of wordDiff(before,after)){let piece=el(kind===
"gone"?"del":kind==="new"?"ins":"span");text.length<=most?write(piece,text):(write(piece,text.slice(0,most/2)),piece.append(
el("span","faint",` … ${(text.length-most).toLocaleString("en")} characters … `)),write(piece,text.slice(-most/2))),
line.append(piece)}return line};var freshKey=()=>crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint8Array(16))].map(byte=>byte.toString(16).padStart(
2,"0")).join(""),isOffline=error=>error instanceof TypeError||error instanceof DOMException;var locate=path=>`${globalThis.benchwrightBase??""}${path}`;var post=async(path,body,{keepalive=!1,patience=15e3}={})=>{let text=JSON.stringify(body),answer=await fetch(locate(path),
{method:"POST",body:text,headers:{"Content-Type":"application/json","X-Benchwright":"desk"},keepalive:keepalive&&new Blob(
[text]).size<6e4,signal:keepalive?void 0:AbortSignal.timeout(patience)}),received=await answer.json().catch(()=>{if(answer.
ok)throw new TypeError("The server's answer is incomplete.");return{}});return{status:answer.status,body:received}},postOnce=async(path,body)=>{
try{return await post(path,body)}catch(error){if(!isOffline(error))throw error;return null}},untilOnline=seconds=>new Promise(
go=>{let done=()=>{clearTimeout(timer),window.removeEventListener("online",done),go()},timer=setTimeout(done,seconds*1e3);
window.addEventListener("online",done)}),persist=async(path,body,hearTrouble)=>{for(let wait=1;;wait=Math.min(wait*2,10)){
let answer=await postOnce(path,body);if(answer&&answer.status<500)return answer;hearTrouble(answer?`the server answered ${answer.
status}`:"no connection"),await untilOnline(wait)}},waitAtMost=(awaited,most)=>Promise.race([awaited,new Promise(go=>setTimeout(
go,most))]);var PREFIX="benchwright.desk",FORGET_AFTER_MS=30*864e5,PAUSE_MS=400,TAB=(()=>{let fresh=freshKey();try{let place=`${PREFIX}\
.tab`;return sessionStorage.getItem(place)||sessionStorage.setItem(place,fresh),sessionStorage.getItem(place)??fresh}catch{
return fresh}})(),wordsKey=(person,subject,revision)=>`${PREFIX}.words:${person}:${subject}:${revision}`;var subjectOf=(on,item)=>on?`${on}:${item}`:item,localDraft=(person,subject)=>memory.keys(`${PREFIX}.words:${person}:${subject}\
:`).map(key=>memory.get(key)).filter(copy=>copy&&typeof copy.question=="string"&&Array.isArray(copy.evidence)).sort((a,b)=>b.
at-a.at)[0]??null,newestDraft=(person,subject,stored)=>{let here=person?localDraft(person,subject):null,there=stored?{...stored,
at:Date.parse(stored.saved_at)||0}:null;return here&&(!there||here.at>there.at)?{...here,local:!0}:there},forget=(person,subject)=>{
for(let key of memory.keys(`${PREFIX}.`))key.includes(`:${person}:${subject}:`)&&memory.drop(key)},dropOldDrafts=()=>{for(let key of memory.
keys(`${PREFIX}.`)){let copy=memory.get(key);copy?.at&&Date.now()-copy.at>FORGET_AFTER_MS&&memory.drop(key)}},DraftKeeper=class{constructor(owner){
this.owner=owner,this.dirty=this.held=this.asks=!1,this.body=null,this.at=0,this.timer=0,this.since=void 0,this.flight=null}typed(){
let{item,data,words,evidence=[],base,time,on="",labelAnswers}=this.owner,body={person:data.person,item:item.id,revision:base,
question:words.question,answer:words.answer,evidence,seconds:time.seconds,on,label_answers:labelAnswers??void 0};this.body=
body,this.at=Date.now(),this.dirty=!0,memory.set(this.keyOf(body),{...body,at:this.at}),clearTimeout(this.timer),this.timer=
setTimeout(()=>this.flush(),PAUSE_MS)}flush(){return clearTimeout(this.timer),this.dirty&&!this.held&&!this.asks&&(this.
flight??=this.send().finally(()=>{this.flight=null})),this.flight??Promise.resolve()}async send(){let{owner}=this;for(let wait=1;this.
dirty&&!this.held;wait=Math.min(wait*2,10)){let{body,at}=this;if(!body)return;this.dirty=!1;let why="no connection";try{
let answer=await post(this.address(body),this.withTab(body)),isShown=body.item===this.body?.item;if(answer.status===200){
this.stored(body,at),isShown&&this.since!==void 0&&(this.since=answer.body.saved_at),owner.hearHolder?.(answer.body.held,
body.item),isShown&&owner.saved(`saved ${clock(Date.now())}`),wait=1;continue}if(answer.status===409&&answer.body.theirs){
if(!isShown)return;this.asks=!0,owner.saved("not stored: choose one of the two",!0),owner.elsewhere(answer.body.theirs,answer.
body.message);return}if(answer.status<500){owner.saved(`not stored: ${answer.body.message??`the server answered ${answer.
status}`}`,!0);return}why=`the server answered ${answer.status}`}catch(error){if(!isOffline(error))throw error}if(body.item!==
this.body?.item||owner.gone)return;this.dirty=!0,owner.saved(`not saved yet: ${why}, trying again`,!0),await untilOnline(
wait)}}withTab(body){return this.since===void 0?body:{...body,tab:TAB,since:this.since,key:this.owner.pressKey??""}}knows(savedAt=""){
this.since=savedAt,this.asks=!1}address({on}){return on?`/bench/${on}/scratch`:"/bench/scratch"}keyOf({person,item,revision,
on}){return`${wordsKey(person,subjectOf(on,item),revision)}:${TAB}`}stored(body,at){let key=this.keyOf(body);memory.get(
key)?.at<=at&&memory.drop(key)}last(){if(clearTimeout(this.timer),!this.dirty&&!this.flight)return;let{body,at}=this;!body||
this.held||this.asks||post(this.address(body),this.withTab(body),{keepalive:!0}).then(answer=>answer.status===200&&this.
stored(body,at),()=>{})}async hold(){clearTimeout(this.timer),this.held=!0,this.flight&&await waitAtMost(this.flight,1e3)}release(){
this.held=!1,this.dirty&&this.flush()}done(){this.dirty=this.held=!1,this.body=null,clearTimeout(this.timer)}leave(){this.
dirty&&this.last(),this.done()}};var COVERS='[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]',TYPING="data-benchwright-typing";var typesInto=node=>!!node?.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName??"")||document.body.hasAttribute(
TYPING),isCovered=root=>[...document.querySelectorAll(COVERS)].some(node=>!root.contains(node)&&node.getClientRects().length),
hearKeys=(rootOf,whileTyping,whileReading)=>{let heard=event=>{if(event.isComposing||event.keyCode===229||event.defaultPrevented)
return;let root=rootOf(),at=event.composedPath()[0];(typesInto(at)?root.contains(at)&&whileTyping(event,at):!isCovered(root)&&
whileReading(event,at))&&(event.preventDefault(),event.stopPropagation())};return document.addEventListener("keydown",heard,
{capture:!0}),()=>document.removeEventListener("keydown",heard,{capture:!0})},hasModifier=event=>event.ctrlKey||event.metaKey||
event.altKey,pressOnce=(event,act)=>act?(event.repeat||act(),!0):!1;var describeLost=({hasWords})=>` took over what you had open: nothing was stored on it from you, and this is the next fr\
ee one.${hasWords?" What you typed on it is kept: b leads back to it.":""}`,showLost=sheet=>{let{lost}=sheet,place=sheet.
find("lost");place.hidden=!lost,sheet.lost=null,lost&&place.replaceChildren(foreign("b","",lost.by),describeLost(lost))};var lineOf=owner=>owner.line??owner.box,showOtherWords=(owner,theirs,message,taken=()=>{})=>{hideOtherWords(owner);let place=el(
"div","notice other-words");place.setAttribute("role","alert");let[mine,take]=[button("button keep-mine","Keep mine"),button(
"button take-theirs","Take the other")],row=el("div","row");row.append(mine,take),place.append(el("p","",message),el("sp\
an","label","The other tab's text"),foreign("p","theirs",theirs.question),row);let choose=words=>{owner.keeper.knows(theirs.
saved_at),place.remove(),owner.box.value=words,owner.keeper.typed(),owner.keeper.flush()};mine.onclick=()=>choose(owner.
box.value),take.onclick=()=>{choose(theirs.question),taken()},lineOf(owner).after(place)},hideOtherWords=owner=>lineOf(owner).
parentElement?.querySelector(":scope > .other-words")?.remove();var NAME="benchwright-desk-bar",tellBar=news=>window.dispatchEvent(new CustomEvent(NAME,{detail:news}));var MAX_PASSED=200,ItemSteps=class{constructor(sheet,navigation,place){this.sheet=sheet,this.navigation=navigation,this.
place=place}told={tab:"",item:"",n:0};around="";get isOn(){return!!this.sheet.data?.visit}get passed(){try{return JSON.parse(
sessionStorage.getItem(this.passedKey)??"[]")}catch{return[]}}set passed(items){try{sessionStorage.setItem(this.passedKey,
JSON.stringify(items.slice(-MAX_PASSED)))}catch{return}}get before(){return this.passed.findLast(item=>item!==this.sheet.
item.id)}get passedKey(){let{visit}=this.sheet.data;return["benchwright.desk.passed",visit?.tab,visit?.kind.sample].filter(
Boolean).join(":")}isPast(data){let{item,data:own}=this.sheet;if(this.around=data.around??"",!item||!own?.visit||!data.visit)
return!1;let isOfTab=own.visit.tab===data.visit.tab;return(isOfTab?data.visit.number<own.visit.number:this.isUntold(data))?
(this.address(item.id),isOfTab&&this.renewAround(),!0):!1}isUntold(data){let{item}=this.sheet;if(item.id===data.item.id)
return!1;let{told}=this,went=data.went??0;return(told.tab!==data.visit?.tab||went>=told.n&&told.item!==item.id)&&(this.told=
{tab:data.visit?.tab??"",item:item.id,n:this.navigation.tell("open",item.id)}),went<this.told.n}renewAround(){let{sheet}=this;
(sheet.data.around??"")!==this.around&&sheet.setTriggerValue("around",freshKey())}async go(to,about){let{sheet,navigation}=this,
{visit,person}=sheet.data;if(!visit)return;let way=to==="back"?"back":["open","undone","changed"].includes(to)?"open":"n\
ext",target=way==="open"?about:way==="back"?this.before??"":"",going=navigation.lock(to,about);way==="back"&&(this.passed=
this.passed.slice(0,Math.max(0,this.passed.lastIndexOf(target))));let{tab,number,kind}=visit,body={person,key:freshKey(),
tab,number,kind,item:sheet.item.id,to:way,target},trouble=why=>sheet.saved(`the item is not here yet: ${why}, trying aga\
in`,!0),answer=await persist(this.place.path,body,trouble);if(sheet.gone||navigation.going!==going)return;navigation.going=
null;let found=answer.status===200?answer.body.desk:null;if(found?.visit)return this.arrive(found,way!=="back");way!=="b\
ack"&&this.pass(),target?navigation.ask("open",target):navigation.ask(to,about)}get onward(){let{visit}=this.sheet.data;
if(!visit)return;let{tab,number,kind}=visit;return{key:freshKey(),tab,number,kind}}goOn(to,about,found){if(!this.sheet.gone){
if(this.sheet.item.id!==about)return this.sheet.buttons();if(found?.visit)return this.arrive(found);if(found===void 0)return this.
navigation.go(to,about);this.pass(),this.navigation.ask(to,about)}}pass(){let{passed}=this,here=this.sheet.item.id;passed.
at(-1)!==here&&(this.passed=[...passed,here])}arrive(found,isPassed=!0){let{sheet}=this,isOther=found.item.id!==sheet.item.
id;isOther&&isPassed&&this.pass(),sheet.draw(found),isOther&&this.address(found.item.id),found.bar&&tellBar({bar:found.bar,
visit:found.visit??null}),this.renewAround()}address(item){let url=new URL(location.href);url.searchParams.set(this.place.
name,item),history.replaceState(history.state,"",url)}};var SETTLE_MS=150,ECHO_MS=3e3,FLUSH_MS=1500,pressed=Date.now(),isAtWork=()=>document.querySelector('[data-testid="stApp"\
]')?.dataset.testScriptState==="running",Navigation=class{busy=!1;going=null;lastAnswered=0;shownAt=1/0;key="";constructor(sheet,place){
this.sheet=sheet,this.steps=new ItemSteps(sheet,this,place)}appeared(){let key=this.renewKey();this.shownAt=1/0;let start=()=>{
this.key===key&&(this.shownAt=performance.now(),this.sheet.buttons(),setTimeout(()=>this.sheet.buttons(),SETTLE_MS+10))},
begin=()=>requestAnimationFrame(()=>requestAnimationFrame(start));document.visibilityState==="visible"?begin():document.
addEventListener("visibilitychange",begin,{once:!0})}renewKey(){return this.key=freshKey(),this.key}get free(){return!this.
busy&&!this.going&&performance.now()-this.shownAt>=SETTLE_MS}lock(to,item){return pressed=Math.max(pressed+1,Date.now()),
this.going={to,item,n:pressed},this.sheet.buttons(),this.going}go(to,item){this.steps.isOn?this.steps.go(to,item):this.ask(
to,item)}ask(to,item){let{n}=this.lock(to,item);this.repeat({to,item,n},()=>this.going?.n!==n)}tell(to,item){pressed=Math.
max(pressed+1,Date.now());let n=pressed;return this.repeat({to,item,n},()=>this.lastAnswered>=n),n}repeat(went,isAnswered){
let tell=wait=>{this.sheet.setTriggerValue("went",went),setTimeout(again,wait,wait*2)},again=wait=>{isAnswered()||this.sheet.
gone||(isAtWork()?setTimeout(again,ECHO_MS,wait):tell(wait))};tell(ECHO_MS)}answered(n){this.lastAnswered=Math.max(this.
lastAnswered,n),this.going&&n>=this.going.n&&(this.going=null)}leads(to){return to!=="back"||!!this.sheet.data.has_back||
this.hasPassed}get hasPassed(){return this.steps.isOn&&this.steps.before!==void 0}receive(data){return this.answered(data.
went??0),!this.steps.isPast(data)}flushed(){return waitAtMost(this.sheet.keeper.flush(),FLUSH_MS)}async passOn(by){let{sheet}=this;
this.busy=!0,sheet.say(""),sheet.saved(""),sheet.buttons();let lost={by,hasWords:!!sheet.hasOwnWords};await this.flushed(),
this.busy=!1,sheet.lost=lost,this.go("taken",sheet.item.id)}async leave(to){let{sheet}=this;!this.free||!this.leads(to)||
(this.busy=!0,sheet.buttons(),await this.flushed(),this.busy=!1,this.go(to,sheet.item.id))}};var VariantDecisions=class extends Navigation{async send(path,more){let{sheet}=this;if(!this.free||!sheet.mayDecide)return;
this.busy=!0,sheet.say(""),sheet.buttons(),await sheet.keeper.hold();let body={key:this.key,person:sheet.data.person,item:sheet.
item.id,applied:sheet.answers.applied,kept:sheet.answers.kept,comment:sheet.remark.value,seconds:sheet.time.seconds,tab:TAB,
onward:this.steps.onward,...more};sheet.saved("storing");let answer=await persist(path,body,why=>sheet.saved(`not stored\
 yet: ${why}, trying again`,!0));if(this.busy=!1,answer.status===200&&answer.body.ok){forget(body.person,`variant:${body.
item}`),sheet.keeper.done(),sheet.dropAnswers(),sheet.receipt=`stored ${clock(Date.now())}`,this.steps.goOn("saved",body.
item,answer.body.desk);return}if(sheet.keeper.release(),sheet.saved(""),answer.status===409&&answer.body.taken_by)return this.
passOn(answer.body.taken_by);sheet.say(answer.body.message??`Nothing was stored: the server answered ${answer.status}.`),
answer.body.kind==="changed"&&this.go("changed",body.item),sheet.buttons()}async undo(){let{sheet}=this;if(!this.free||!sheet.
data.has_undo||!sheet.data.person)return;this.busy=!0,sheet.buttons();let{person,sample}=sheet.data,body={person,key:freshKey(),
sample:sample??""},answer=await persist("/bench/variant/undo",body,why=>sheet.saved(`not undone yet: ${why}, trying agai\
n`,!0));if(this.busy=!1,answer.status===200)return sheet.receipt="taken back",this.go("undone",answer.body.item);sheet.say(
answer.body.message??`Nothing was undone: the server answered ${answer.status}.`),sheet.buttons()}};var QUESTIONS=["applied","kept"],SIGN_MS=6e4,measuredCell=({label,said})=>{let cell=el("div");return cell.append(el("dt",
"",label),foreign("dd","",said)),cell},VariantSheet=class{on="variant";gone=!1;receipt="";reason="";plain=!1;tabbed=!1;marked="\
applied";answers={applied:null,kept:null};other=null;isLost=!1;lost=null;data;item;setTriggerValue;constructor(parent){this.
root=find(parent,".sheet"),this.find=finder(this.root),this.box=this.find("text",HTMLTextAreaElement),this.remark=this.find(
"remark",HTMLInputElement),this.ownReason=this.find("own-reason",HTMLInputElement),this.keeper=new DraftKeeper(this),this.
deciding=new VariantDecisions(this,{path:"/bench/variant/next",name:"variant"}),this.time=new ActiveTime,this.bind(),this.
signs=setInterval(()=>this.sign(),SIGN_MS),this.turned=()=>this.sign(),document.addEventListener("visibilitychange",this.
turned),dropOldDrafts()}get pressKey(){return this.deciding.key}hearHolder(held){this.held(held)}get words(){return{question:this.
box.value,answer:this.remark.value}}get base(){return this.item.revision}get mayDecide(){return!!this.data.person&&!this.
data.blocked&&!this.other}get hasOwnWords(){return!this.box.hidden&&this.box.value!==this.data.text||this.remark.value!==
(this.data.said.comment||"")}get isSample(){return!!this.data.sample}bind(){this.box.oninput=()=>this.typed(),this.box.onblur=
()=>this.isSample||this.keeper.flush(),this.remark.oninput=()=>this.isSample?this.keepAnswers():this.typed(),this.remark.
onblur=()=>this.isSample||this.keeper.flush();for(let name of QUESTIONS)for(let[choice,isYes]of[["yes",!0],["no",!1]])this.
choice(name,choice).onclick=()=>{this.choice(name,choice).blur(),this.answer(name,isYes)};let presses={accept:()=>this.accept(),
store:()=>this.store(),"discard-open":()=>this.openDiscard(),edit:()=>this.edit(),undo:()=>this.deciding.undo(),next:()=>this.
deciding.leave("next"),previous:()=>this.deciding.leave("back"),confirm:()=>this.discard(),cancel:()=>this.closeDiscard()};
for(let[name,press]of Object.entries(presses)){let button2=this.find(name);button2.onclick=()=>{button2.blur(),press()}}
this.stopKeys=hearKeys(()=>this.root,(event,at)=>this.whileTyping(event,at),(event,at)=>this.whileReading(event,at)),this.
moved=event=>{this.tabbed=event instanceof KeyboardEvent&&(this.tabbed||event.key==="Tab")},document.addEventListener("p\
ointerdown",this.moved,!0),document.addEventListener("keydown",this.moved,!0),this.stopLeaving=onLeave(()=>this.keeper.last())}choice(name,choice){
return find(this.root,`.question[data-name="${name}"] .${choice}`,HTMLButtonElement)}stop(){this.gone=!0,clearInterval(this.
signs),document.removeEventListener("visibilitychange",this.turned),this.keeper.last(),this.time.stop(),this.stopKeys?.(),
this.stopLeaving?.(),this.moved&&(document.removeEventListener("pointerdown",this.moved,!0),document.removeEventListener(
"keydown",this.moved,!0))}whileTyping(event,at){return event.key==="Escape"?(at.blur(),at.matches(".own-reason")&&this.closeDiscard(),
!0):event.key!=="Enter"||at===this.box&&!(event.ctrlKey||event.metaKey)?!1:(event.repeat||(at.matches(".own-reason")?this.
discard():at!==this.box?at.blur():this.isSample?this.store():this.accept()),!0)}whileReading(event,at){if(hasModifier(event)||
event.shiftKey)return!1;let onButton=at?.closest?.("button, a[href], summary, [role=radio]");if(event.key==="Enter"&&onButton&&
(this.root.contains(onButton)||this.tabbed))return!1;let digit=/^[1-9]$/.test(event.key)?Number(event.key):0;if(this.discarding){
if(event.key==="Escape")this.closeDiscard();else if(event.key==="Enter")pressOnce(event,()=>this.discard());else if(digit)
this.choose(this.data.reasons[digit-1]);else return/^[a-z]$/.test(event.key);return!0}let acts={y:()=>this.answer(this.marked,
!0),o:()=>this.answer(this.marked,!1),1:()=>this.mark("applied"),2:()=>this.mark("kept"),c:()=>this.remark.focus(),n:()=>this.
deciding.leave("next"),b:()=>this.deciding.leave("back"),u:()=>this.deciding.undo(),d:()=>this.turn(),Enter:()=>this.main(),
...this.isSample?{}:{a:()=>this.accept(),x:()=>this.openDiscard(),w:()=>this.edit()}};return pressOnce(event,acts[event.
key])}render({data,setTriggerValue}){this.setTriggerValue=setTriggerValue,this.deciding.receive(data)&&this.draw(data)}draw(data){
let before=this.item,[person,sample]=[this.data?.person,this.data?.sample];if(this.deciding.going&&before?.id===data.item.
id)return;this.data=data;let same=before&&before.id===data.item.id&&person===data.person&&sample===data.sample&&!this.receipt;
before&&!same&&(this.deciding.steps.isOn&&(this.deciding.going=null),this.keeper.leave()),this.item=data.item,this.other=
data.held,same||this.open(),this.ground(),this.buttons()}ground(){let{data}=this,{original}=data,chips=[data.kind_label,
original.task_label,original.level===null?"":`Level ${original.level}`,original.domain,LANGUAGE_NAMES[original.language]??
original.language];this.find("about").replaceChildren(...chips.filter(Boolean).map(text=>el("span","chip",text))),data.edited_by&&
this.find("about").append(el("span","chip by-hand",`edited by ${data.edited_by}`)),data.status!=="drafted"&&this.find("a\
bout").append(el("span","chip",data.status)),this.find("wanted").textContent=data.asks,this.find("original").replaceChildren(
foreign("p","",original.question)),this.find("answers").replaceChildren(...original.answers.map(text=>foreign("p","",text))),
this.find("flags").replaceChildren(...data.flags.map(({flag,about})=>{let chip=el("li","chip",flag);return chip.title=about,
chip})),this.find("numbers").replaceChildren(...data.guards.map(measuredCell)),this.find("making").hidden=!data.making.length,
this.find("made").replaceChildren(...data.making.map(measuredCell));let shown=this.isSample?["store","next","previous","\
undo"]:["accept","discard-open","edit","next","previous","undo"];for(let name of["accept","store","discard-open","edit"])
this.find(name).hidden=!shown.includes(name);this.wording(),this.tell()}wording(){let text=this.box.hidden?this.data.text:
this.box.value,note=unseenNote(text);this.find("hint").textContent=note,this.find("hint").hidden=!note,this.find("varian\
t").replaceChildren(this.plain?foreign("p","",text):differenceLine("",this.data.original.question,text))}turn(){this.plain=
!this.plain,this.wording()}open(){let{data,item}=this;this.isLost=!1,showLost(this);let copy=newestDraft(this.isSample?"":
data.person,subjectOf(this.on,item.id),data.scratch),kept=memory.get(this.answersKey);this.keeper.knows(data.scratch?.saved_at),
hideOtherWords(this);let words=copy?.question&&copy.question!==data.text?copy.question:"";this.box.value=words||data.text,
this.showBox(!!words),this.remark.value=copy?.answer||kept?.comment||data.said.comment||"",this.answers={applied:kept?.applied??
data.said.applied,kept:kept?.kept??data.said.kept},this.mark(this.answers.applied===null?"applied":"kept"),this.closeDiscard(),
this.time.start(copy?.seconds??0),this.say(""),this.saved(this.receipt?`last one ${this.receipt}`:copy&&words?`your text\
 of ${clock(copy.at,!1)} is back`:""),this.receipt="",copy?.local&&this.keeper.typed(),this.deciding.appeared(),this.root.
dataset.variantItem=item.id}elsewhere(theirs,message){showOtherWords(this,theirs,message,()=>{this.showBox(!0),this.wording()})}typed(){
this.say(""),this.keeper.typed(),this.box.hidden||this.wording()}showBox(isOpen){this.box.hidden=this.find("edit-label").
hidden=!isOpen}edit(){!this.mayDecide||!this.deciding.free||(this.showBox(!0),this.wording(),this.box.focus())}mark(name){
this.marked=name;for(let one of QUESTIONS){let place=find(this.root,`.question[data-name="${one}"]`);place.classList.toggle(
"marked",one===name),find(place,".yes").setAttribute("aria-pressed",String(this.answers[one]===!0)),find(place,".no").setAttribute(
"aria-pressed",String(this.answers[one]===!1))}}answer(name,isYes){!this.mayDecide||!this.deciding.free||(this.answers[name]=
isYes,this.say(""),this.mark(name==="applied"?"kept":name),this.keepAnswers(),this.buttons())}get answersKey(){return`${PREFIX}\
.answers:${this.data.person}:${this.item.id}:${this.data.sample??""}`}keepAnswers(){memory.set(this.answersKey,{...this.
answers,comment:this.isSample?this.remark.value:"",at:Date.now()})}dropAnswers(){memory.drop(this.answersKey)}main(){if(this.
isSample)return this.store();if(QUESTIONS.some(name=>this.answers[name]===!1))return this.openDiscard();this.accept()}get answered(){
return QUESTIONS.every(name=>this.answers[name]!==null)}accept(){if(this.isLost&&this.deciding.free)return this.deciding.
passOn(this.other?.by??"");if(!this.mayDecide)return;if(!this.answered)return this.say("Answer both questions first: y f\
or yes, o for no.");if(QUESTIONS.some(name=>!this.answers[name]))return this.say("You said no to a question: edit the va\
riant with w, or discard it with x.");let text=this.box.hidden?this.data.text:this.box.value;this.deciding.send("/bench/\
variant/decide",{decision:"accept",status:this.data.status,text})}store(){if(this.mayDecide){if(!this.answered)return this.
say("Answer both questions first: y for yes, o for no.");this.deciding.send("/bench/variant/judge",{sample:this.data.sample})}}get discarding(){
return!this.find("discard").hidden}openDiscard(){if(!this.mayDecide||!this.deciding.free)return;this.say(""),this.ownReason.
value="",this.find("reasons").replaceChildren(...this.data.reasons.map((words,n)=>{let choice=button("small choice");return choice.
setAttribute("role","radio"),choice.append(el("kbd","",String(n+1)),` ${words}`),choice.onclick=()=>{choice.blur(),this.
choose(words)},choice})),this.find("discard").hidden=!1;let said=QUESTIONS.findIndex(name=>this.answers[name]===!1);this.
choose(said<0?"":this.data.reasons[said]),this.buttons()}choose(reason){reason!==void 0&&(this.reason=reason,findAll(this.
root,".reasons .choice").forEach((choice,n)=>choice.setAttribute("aria-checked",String(this.data.reasons[n]===reason))))}closeDiscard(){
this.find("discard").hidden=!0,this.reason="",this.data&&this.buttons()}discard(){let reason=[this.reason,this.ownReason.
value.trim()].filter(Boolean).join(": ");if(!reason)return this.say("Choose a reason, or write one.");let text=this.box.
hidden?this.data.text:this.box.value;this.deciding.send("/bench/variant/decide",{decision:"discard",status:this.data.status,
text,reason})}async sign(){let{data,item,time}=this;if(this.isSample||!data?.person||!item||!time.isActive)return;let answer=await postOnce(
"/bench/variant/hold",{person:data.person,item:item.id});answer?.status!==200||item.id!==this.item.id||(this.held(answer.
body.held),this.isLost&&!this.hasOwnWords&&this.deciding.free&&await this.deciding.passOn(answer.body.held.by))}held(other){
this.isLost=!!other&&(this.isLost||!this.other),this.other=other??null,this.tell(),this.buttons()}tell(){let{data,other}=this,
{decided}=data,words=other?`${other.by} has this variant on the screen until ${clock(other.until??"",!1)}: go on with th\
e next.`:data.blocked||(decided&&data.status!=="drafted"?`${decided.by}: ${decided.decision}${decided.reason?`, ${decided.
reason}`:""}`:"");this.find("notice").hidden=!words,this.find("notice").replaceChildren(foreign("span","",words))}say(words){
this.find("said").textContent=words,this.find("said").hidden=!words}saved(words,trouble=!1){this.find("saved").textContent=
words||(this.data?.person?"":"Give your name first: decisions are stored under it."),this.find("saved").classList.toggle(
"trouble",trouble)}buttons(){let{deciding}=this,may=deciding.free&&this.mayDecide;for(let name of["accept","store","disc\
ard-open","edit","confirm"])this.find(name,HTMLButtonElement).disabled=!may;for(let button2 of findAll(this.root,".yes, \
.no",HTMLButtonElement))button2.disabled=!may;this.find("next",HTMLButtonElement).disabled=!deciding.free,this.find("pre\
vious",HTMLButtonElement).disabled=!deciding.free||!deciding.leads("back"),this.find("undo",HTMLButtonElement).disabled=
!deciding.free||!this.data.has_undo,this.box.readOnly=this.remark.readOnly=!this.mayDecide||deciding.busy||!!deciding.going}},
variant_default=mount(parent=>new VariantSheet(parent));export{VariantSheet,variant_default as default};
